import { Curve } from '../../parts/curve.tsx';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { useReader } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { progressCurve } from '../../words/curve.ts';
import type { ProgressSample } from '../../words/progress.ts';
import { clockText } from '../../words/times.ts';

/** Fewer samples make no curve. */
const SAMPLES_MIN = 3;

type ProgressCurveProps = Readonly<{ history: readonly ProgressSample[]; total: number }>;

/** How far the batch came while the page was open. Null while it stands. */
export function ProgressCurve({ history, total }: ProgressCurveProps) {
  const { texts: t, place } = useReader();
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined || history.length < SAMPLES_MIN) return null;
  if (last.done === first.done) return null;
  const timeOf = ({ atMs }: ProgressSample): string =>
    clockText(performance.timeOrigin + atMs, place);
  const columns: readonly WebColumn<ProgressSample>[] = [
    { label: t.charts.time, show: timeOf },
    { label: t.charts.done, isNumber: true, show: ({ done }) => countText(done) },
  ];
  return (
    <Curve
      title={t.charts.progress}
      about={t.charts.progressAbout(countText(first.done), countText(last.done), countText(total))}
      points={progressCurve(history, total)}
      ends={[timeOf(first), timeOf(last)]}
    >
      <DataTable
        caption={t.charts.progress}
        columns={columns}
        rows={history}
        keyOf={({ atMs }) => atMs}
        empty={null}
      />
    </Curve>
  );
}
