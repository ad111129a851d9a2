import type { WebBatch } from '../../api/results.ts';
import type { FollowedBatch } from '../../api/use-batch.ts';
import { Section } from '../../parts/section.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { paceOf } from '../../words/progress.ts';
import { leftText } from '../../words/times.ts';
import { ProgressCurve } from './progress-curve.tsx';

type ProgressProps = Readonly<{ batch: WebBatch; followed: FollowedBatch }>;

/** How many rows are done, how fast it goes, and how long it will take. */
export function BatchProgress({ batch, followed: { isLive, samples, history } }: ProgressProps) {
  const t = useTexts();
  const { rows, isOver, state } = batch;
  const { total } = rows;
  if (total === 0) return null;
  const pace = isOver ? null : paceOf(samples, total);
  const counts = [
    ['PAID', rows.paid],
    ['FAILED', rows.failed],
    ['UNKNOWN', rows.unknown],
    ['NOT_SENT', rows.notSent],
    ['IN_FLIGHT', rows.inFlight],
    ['NOT_SENT_YET', rows.notSentYet ?? 0],
  ] as const;
  return (
    <Section title={t.batch.progress}>
      <div class="progress">
        <progress max={total} value={rows.paid} aria-label={t.batch.progress} />
        <p class="progress-text">
          <strong>{t.batch.paidOf(countText(rows.paid), countText(total))}</strong>
          {pace === null ? null : (
            <span>
              {t.batch.pace(countText(Math.round(pace.perSecond)), leftText(pace.leftSeconds))}
            </span>
          )}
          {isOver || state === 'AWAITING_APPROVAL' ? null : (
            <span class={isLive ? 'live-dot' : 'live-dot off'}>
              {isLive ? t.batch.live : t.batch.notLive}
            </span>
          )}
        </p>
      </div>
      <dl class="counts">
        {counts
          .filter(([, count]) => count > 0)
          .map(([outcome, count]) => (
            <div key={outcome}>
              <dt>{t.states[outcome]}</dt>
              <dd>{countText(count)}</dd>
            </div>
          ))}
      </dl>
      {isOver ? null : <ProgressCurve history={history} total={total} />}
    </Section>
  );
}
