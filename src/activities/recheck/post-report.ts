import type { BatchRecord } from '../../store/batches/types.ts';
import type { AftercareActivities, Followed, FollowInput } from '../../contract/activities.ts';
import type { AftercareInput } from '../../contract/aftercare.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { REOPENED_MAX } from '../../domain/lineage/follow.ts';
import type { DoublePayment } from '../../domain/report/report.ts';
import { readDoublePayments } from '../../report/row-history.ts';
import { atBoundary } from '../shared/boundary.ts';
import type { ConfirmDeps } from './confirm-unpaid.ts';
import { inParallel } from '../shared/in-parallel.ts';
import { recheckChunk, readFinishedChunk } from './recheck-chunk.ts';
import { reportAgain } from '../report/report-again.ts';

const DAY_MS = 86_400_000;
/** Chunks that are rechecked side by side. */
const RECHECKS_IN_PARALLEL = 8;
/** How long one recheck begins chunks, in milliseconds: well below the time that the workflow gives it. */
const RECHECK_MS_MAX = 2_400_000;

export type AftercareDeps = ConfirmDeps &
  Readonly<{
    /** How long ends that people can change are followed after the report, in days; 0: not at all. */
    followDays: number;
    /** Receives rows that more than one batch has paid, or may have; each time that a recheck finds them. */
    alarm?(batchId: string, rows: readonly DoublePayment[]): Promise<void>;
  }>;

/** Follows batches after their reports: people can change their ends in the service's own interface. */
export const createAftercareActivities = (deps: AftercareDeps): AftercareActivities => ({
  followEnds: (input) => atBoundary(() => followEnds(deps, input)),
  endsToFollow: ({ batchId }) => atBoundary(() => endsToFollow(deps, batchId)),
});

async function followEnds(
  deps: AftercareDeps,
  { batchId, chunks, after }: FollowInput,
): Promise<Followed> {
  const { store } = deps;
  const batch = await findEnded(deps, batchId);
  const ends = await store.rechecks.openEnds(batchId, REOPENED_MAX);
  const wanted = ends.filter(
    (chunk) => (chunks === null || chunks.includes(chunk)) && (after === null || chunk > after),
  );
  const results = await recheckChunks(deps, batchId, wanted);
  const version = await reportAgain(deps, batchId);
  const paidTwice = await readDoublePayments(store, await store.lineage.line(batchId));
  if (paidTwice.length > 0) await deps.alarm?.(batchId, paidTwice);
  return {
    ...results,
    version,
    following: (await store.rechecks.openEnds(batchId, REOPENED_MAX)).length,
    paidTwice: paidTwice.length,
    ...timesOf(deps, batch),
  };
}

async function findEnded({ store }: AftercareDeps, batchId: string): Promise<BatchRecord> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  if (batch.endState !== null) return batch;
  throw new BursarError('BATCH_OPEN', { batchId, state: 'it is under way' });
}

type RecheckedChunks = Pick<Followed, 'changedRows' | 'unread' | 'next'>;

/** Rechecks chunks while there is time; the rest begins after the last one that was begun. */
async function recheckChunks(
  deps: AftercareDeps,
  batchId: string,
  chunks: readonly number[],
): Promise<RecheckedChunks> {
  const untilMs = deps.nowMs() + RECHECK_MS_MAX;
  let changedRows = 0;
  let unread = 0;
  let last: number | undefined;
  await inParallel(RECHECKS_IN_PARALLEL, chunks, async (chunk) => {
    if (deps.nowMs() >= untilMs) return;
    last = Math.max(last ?? chunk, chunk);
    const lookup = await recheckChunk(deps, await readFinishedChunk(deps, batchId, chunk));
    if (lookup.kind === 'read') changedRows += lookup.changes.length;
    else unread += 1;
  });
  return { changedRows, unread, next: last === undefined || last === chunks.at(-1) ? null : last };
}

const timesOf = (
  { followDays, nowMs }: AftercareDeps,
  { endedAtMs, optionsJson }: BatchRecord,
): Pick<Followed, 'firstMs' | 'untilMs'> => ({
  firstMs: firstMsOf(optionsJson),
  untilMs: (endedAtMs ?? nowMs()) + followDays * DAY_MS,
});

/** The first recheck comes after the time of one slow poll. */
const firstMsOf = (optionsJson: string): number =>
  (JSON.parse(optionsJson) as BatchOptions).pollMaxMs;

/**
 * The batches of a lineage that are to be followed: a resend that found its parent changed, or was refused for that, leaves
 * its parent to be followed as well.
 */
async function endsToFollow(deps: AftercareDeps, batchId: string): Promise<AftercareInput[]> {
  const { store, nowMs } = deps;
  const line = await store.lineage.line(batchId);
  await releaseForResend(deps, line, batchId);
  if (deps.followDays === 0) return [];
  const inputs: AftercareInput[] = [];
  for (const batch of line) {
    if (batch.endState === null || timesOf(deps, batch).untilMs <= nowMs()) continue;
    const hasEnds = (await store.rechecks.openEnds(batch.batchId, REOPENED_MAX)).length > 0;
    const hasNews = (await store.rechecks.pending(batch.batchId)).length > 0;
    if (hasEnds || hasNews) {
      inputs.push({ batchId: batch.batchId, delayMs: firstMsOf(batch.optionsJson) });
    }
  }
  return inputs;
}

/** The rows of a resend that ended before it had a plan are its parents' to resend again. */
async function releaseForResend(
  deps: AftercareDeps,
  line: readonly BatchRecord[],
  batchId: string,
): Promise<void> {
  const { store, nowMs } = deps;
  const ended = line.find((one) => one.batchId === batchId && one.endState !== null);
  if (ended === undefined || (await store.chunks.list(batchId)).length > 0) return;
  for (const earlier of line.filter(({ generation }) => generation < ended.generation)) {
    for (const { change } of await store.rechecks.all(earlier.batchId)) {
      if (change.kind !== 'resent' || change.batchId !== batchId) continue;
      await store.rechecks.noteOnce(earlier.batchId, { ...change, kind: 'returned' }, nowMs());
      await reportAgain(deps, earlier.batchId);
    }
  }
}
