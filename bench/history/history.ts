import type { Result } from '../result.ts';
import { cpuTotal } from '../support/cpu.ts';
import type { Figure, Unit } from '../support/figure.ts';
import { tableText } from '../support/table.ts';

/** One measure of one run. */
export type Measure = Readonly<{
  name: string;
  value: number;
  unit: Unit;
  better: 'more' | 'less';
}>;

/** One line of the history: the figures of one run of the bench. */
export type HistoryEntry = Readonly<{
  date: string;
  /** Short hash of the commit; `+` follows where files differ from it. */
  commit: string;
  machine: Readonly<{ cores: number; processor: string }>;
  /** Load of the machine in the minute before the run. */
  load: number;
  measures: readonly Measure[];
}>;

/** Runs that are shown side by side, the newest last. */
const RUNS_SHOWN = 5;
/** A measure is marked when it is worse than the best run by more than this share. */
const WORSE_SHARE = 0.2;
const MARK = ' !';

const RATES: ReadonlySet<Unit> = new Set(['rows/s', 'requests/s', 'attempts/s']);

const betterOf = ({ aim, unit }: Figure): Measure['better'] =>
  aim?.kind === 'at least' || (aim === undefined && RATES.has(unit)) ? 'more' : 'less';

export const entryOf = (
  { startedAt, machine, loadAverage, rows, parts }: Result,
  commit: string,
): HistoryEntry => ({
  date: startedAt,
  commit,
  machine: { cores: machine.cores, processor: machine.processor },
  load: loadAverage[0] ?? 0,
  measures: parts.flatMap(({ part, figures }) =>
    figures.flatMap(withCpu).map((figure) => ({
      name: `${part}${sizeOf(rows)}: ${figure.name}`,
      value: Number(figure.value.toPrecision(4)),
      unit: figure.unit,
      better: betterOf(figure),
    })),
  ),
});

/** Runs of another size are other measures. */
const sizeOf = (rows: number | undefined): string => (rows === undefined ? '' : ` of ${rows} rows`);

/** Processor time is a measure of its own: on a busy machine it is the steadier one. */
function withCpu(figure: Figure): Figure[] {
  const { name, cpu = {} } = figure;
  if (Object.keys(cpu).length === 0) return [figure];
  return [figure, { name: `${name}, processor time`, unit: 'CPU s', value: cpuTotal(cpu) }];
}

export const readHistory = (text: string): HistoryEntry[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryEntry);

/** The newest runs of the machine kind of the last one, side by side. `!` marks a measure that got worse. */
export function historyText(entries: readonly HistoryEntry[]): string {
  const last = entries.at(-1);
  if (last === undefined) return 'No run of the bench was recorded.';
  const ofKind = entries.filter((entry) => kindOf(entry) === kindOf(last));
  const shown = ofKind.slice(-RUNS_SHOWN);
  const names = [...new Set(shown.flatMap(({ measures }) => measures.map(({ name }) => name)))];
  const lines = names.map((name) => {
    const best = bestOf(ofKind, name);
    return [name, ...shown.map((entry) => cellOf(measureOf(entry, name), best))];
  });
  const head = shown.map(({ date, commit }) => `${date.slice(0, 10)} ${commit}`);
  return [
    `Runs on ${last.machine.cores} x ${last.machine.processor}.`,
    '',
    tableText(['measure', ...head], [['load', ...shown.map(({ load }) => String(load))], ...lines]),
    '',
    `${MARK.trim()} more than ${WORSE_SHARE * 100} % worse than the best run of this kind of machine`,
  ].join('\n');
}

const kindOf = ({ machine }: HistoryEntry): string => `${machine.cores} ${machine.processor}`;

const measureOf = ({ measures }: HistoryEntry, name: string): Measure | undefined =>
  measures.find((measure) => measure.name === name);

function bestOf(entries: readonly HistoryEntry[], name: string): number {
  const all = entries.flatMap((entry) => measureOf(entry, name) ?? []);
  const values = all.map(({ value }) => value);
  return all.at(-1)?.better === 'more' ? Math.max(...values) : Math.min(...values);
}

function cellOf(measure: Measure | undefined, best: number): string {
  if (measure === undefined) return '';
  const { value, unit } = measure;
  return `${value} ${unit === 'times' ? 'x' : unit}${isWorse(measure, best) ? MARK : ''}`;
}

export const isWorse = ({ value, better }: Measure, best: number): boolean =>
  better === 'more' ? value < best / (1 + WORSE_SHARE) : value > best * (1 + WORSE_SHARE);
