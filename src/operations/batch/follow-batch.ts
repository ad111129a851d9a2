import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { waitsForPerson } from '../../domain/holds/hold.ts';
import type { OperationContext } from '../context.ts';
import { readSnapshot } from './standing.ts';
import { type ShownBatch, standingView } from './standing-view.ts';
import type { Sources } from './types.ts';
import { silenceAdvice } from './worker-silence.ts';

/** Between two reads of a batch, in milliseconds. */
const LOOK_MS = 1_000;
/** A read of a large batch may take longer. At most this share of the time is spent on reads. */
const LOOK_SHARE = 0.1;
/** How long no worker may answer before a person is notified, in milliseconds. */
const SILENCE_MS_MAX = 5_000;
/** How long Temporal may be away before the operation gives up, in milliseconds; the batch goes on. */
const ABSENCE_MS_MAX = 60_000;

/** `timeoutMs`: how long to follow it; null: to its end. */
export type FollowChoices = Readonly<{ batchId: string; timeoutMs: number | null }>;

/**
 * Reads a batch about once a second, until it is over, only a person can decide, the time has passed, or the operation is
 * interrupted. The last standing is the newest.
 */
export async function* followBatch(
  sources: Sources,
  { batchId, timeoutMs }: FollowChoices,
  context: OperationContext,
): AsyncGenerator<ShownBatch> {
  const { clock, interrupted } = context;
  const left = new AbortController();
  const pause = createPause(sources, { batchId, left: left.signal }, context);
  const deadlineMs = timeoutMs === null ? Number.POSITIVE_INFINITY : clock.nowMs() + timeoutMs;
  const look = patientLook(sources, batchId, context);
  const hintAtSilence = createSilenceHint(context);
  try {
    for (;;) {
      const startedMs = clock.nowMs();
      const standing = await look();
      if (standing !== undefined) {
        yield standing;
        if (needsNobodyMore(standing)) return;
        hintAtSilence(standing);
        if (clock.nowMs() >= deadlineMs) return;
      }
      if (interrupted.aborted) return;
      const pauseMs = Math.max(LOOK_MS, (clock.nowMs() - startedMs) / LOOK_SHARE);
      const leftMs = deadlineMs - clock.nowMs();
      await pause(leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs);
    }
  } finally {
    left.abort();
  }
}

/** Whether there is nothing to wait for: the batch is over, or a person has to answer first. */
export const needsNobodyMore = (standing: ShownBatch): boolean =>
  standing.isOver || needsOperator(standing);

/** A person paused on purpose; the hold of a rule waits for an answer. A stopped batch waits only for its balance. */
export function needsOperator(standing: ShownBatch): boolean {
  const { activity, canceled, needsOperator: cases, holds, state } = standing;
  const isCanceled = canceled !== undefined || (activity?.canceledBy ?? null) !== null;
  const isStopped = isCanceled || state === 'REPORTING';
  return cases.length > 0 || waitsForPerson(holds, isStopped);
}

type Pause = (delayMs: number) => Promise<void>;

/**
 * Waits between two reads. The end of the workflow cuts one wait short, so that the end is shown at once. It cuts only
 * one: a closed batch that is not over needs no faster reads.
 */
function createPause(
  { engine }: Sources,
  { batchId, left }: Readonly<{ batchId: string; left: AbortSignal }>,
  { clock, interrupted }: OperationContext,
): Pause {
  const closed = new AbortController();
  let wake = AbortSignal.any([interrupted, closed.signal]);
  let isAsked = false;
  const ask = async (): Promise<void> => {
    await (await engine()).untilClosed(batchId, left);
    closed.abort();
  };
  return async (delayMs) => {
    // Without Temporal the next read throws the error.
    if (!isAsked) void ask().catch(() => undefined);
    isAsked = true;
    await clock.pause(delayMs, wake);
    if (closed.signal.aborted) wake = interrupted;
  };
}

/** Reads the batch; undefined while Temporal is away for a moment. The first read does not wait. */
function patientLook(sources: Sources, batchId: string, { clock, say }: OperationContext) {
  let awaySinceMs: number | undefined;
  let hasSeen = false;
  return async (): Promise<ShownBatch | undefined> => {
    try {
      const snapshot = await readSnapshot(sources, batchId);
      awaySinceMs = undefined;
      hasSeen = true;
      return standingView(snapshot, clock.nowMs());
    } catch (error) {
      if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE' || !hasSeen) throw error;
      if (awaySinceMs === undefined) say(`${error.note.what} Trying again; the batch is safe.`);
      awaySinceMs ??= clock.nowMs();
      if (clock.nowMs() - awaySinceMs > ABSENCE_MS_MAX) throw error;
      return undefined;
    }
  };
}

/** Shows once that no worker answers; the operation goes on waiting. */
function createSilenceHint({ clock, say }: OperationContext) {
  let silentSinceMs: number | undefined;
  let hasHinted = false;
  return ({ worker }: ShownBatch): void => {
    silentSinceMs = worker === undefined ? undefined : (silentSinceMs ?? clock.nowMs());
    const isShort = silentSinceMs === undefined || clock.nowMs() - silentSinceMs < SILENCE_MS_MAX;
    if (hasHinted || isShort || worker === undefined) return;
    hasHinted = true;
    say(silenceAdvice(worker, clock));
  };
}
