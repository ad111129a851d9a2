import type { Obstacles } from './obstacles.ts';
import type { World } from './world.ts';

/** How old a quote of fees may be when the last wait before the release ends, in milliseconds. */
const QUOTE_MS_MAX = 300_000;
/** How far a wall clock of the engine may be from the clock of Temporal, in milliseconds. */
const CLOCKS_APART_MS = 20_000;

export type ReleaseLaw = ReturnType<typeof createReleaseLaw>;

/**
 * Judges the release of one batch by what its people, its account and its clock did. The batch reports each of them here when
 * it happens; the law does not read what the batch concluded.
 */
export function createReleaseLaw(
  { agenda, broke }: World,
  { obstacles, isResend }: Readonly<{ obstacles: Obstacles; isResend: boolean }>,
) {
  const plannedAtMs = agenda.nowMs();
  let waitedUntilMs = plannedAtMs;
  let approvedUntilMs = obstacles.approval === null ? Number.POSITIVE_INFINITY : 0;
  let quote = { atMs: plannedAtMs, isStopped: obstacles.feeStops > 0 };
  let confirmedAtMs = isResend ? 0 : Number.POSITIVE_INFINITY;
  return {
    /** The batch waited until now for people, for time or for money. */
    waited(): void {
      waitedUntilMs = agenda.nowMs();
    },
    approved(untilMs: number): void {
      approvedUntilMs = untilMs;
    },
    quoted(isStopped: boolean): void {
      quote = { atMs: agenda.nowMs(), isStopped };
    },
    feesAccepted(): void {
      quote = { ...quote, isStopped: false };
    },
    rowsConfirmed(): void {
      confirmedAtMs = agenda.nowMs();
    },
    /** Checks what must hold in the moment of the release. */
    released(): void {
      const nowMs = agenda.nowMs();
      const passedMs = nowMs - plannedAtMs;
      const breaches = {
        'without an approval': nowMs >= approvedUntilMs + CLOCKS_APART_MS,
        'before its time': passedMs < obstacles.dueAfterMs,
        'before its money was there': passedMs < obstacles.fundedAfterMs,
        'with fees that a rule stopped': quote.isStopped,
        'on fees from before it waited': waitedUntilMs - quote.atMs > QUOTE_MS_MAX,
        'on rows that were read before it waited': confirmedAtMs < waitedUntilMs,
      };
      for (const [how, isBreach] of Object.entries(breaches)) {
        if (isBreach) broke('I15', `a batch is released ${how}`);
      }
    },
  };
}
