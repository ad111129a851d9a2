import { roughDurationText } from '../text/duration.ts';
import type { Run } from './timing.ts';

/**
 * The state of a run. STARTED: a workflow has it and looks for its file. RUNNING: its batch has begun. ENDED: its batch
 * has ended, in any end state. FAILED: no batch began, or it was rejected before anything was sent. MISSED: nothing
 * began it in time. SKIPPED: the schedule was paused.
 */
export const RUN_STATES = ['STARTED', 'RUNNING', 'ENDED', 'FAILED', 'MISSED', 'SKIPPED'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The record of a run in the store. */
export type RunRecord = Readonly<{
  nominal: string;
  dueAtMs: number;
  state: RunState;
  /** The workflow that has it; null when none ever had. */
  claimedBy: string | null;
  batchId: string | null;
  /** Batches that were begun for it and rejected: nothing of them was or will be sent. */
  rejected: number;
  fileName: string | null;
  fileSha256: string | null;
  /** Why it is in this state, in a sentence; the state of the batch when it has ended. */
  detail: string;
  changedAtMs: number;
}>;

/** Of these nothing was sent, so a person may start them after all. */
const UNSENT: readonly RunState[] = ['FAILED', 'MISSED', 'SKIPPED'];

/** Whether a run may still be started by a person: nothing of it was ever paid. */
export const mayStartByHand = (record: RunRecord | undefined): boolean =>
  record === undefined || UNSENT.includes(record.state);

/** Whether its schedule may still begin a run: one that a person tried ahead of its time, in vain, is still due. */
export const mayBeginByItself = ({ state }: RunRecord): boolean => state === 'FAILED';

/** Who wants a run, and when. */
export type ClaimFacts = Readonly<{
  run: Run;
  record: RunRecord | undefined;
  /** The note with which the schedule was paused; null when it is not. */
  pausedNote: string | null;
  /** Whether a person demanded this run. */
  isByHand: boolean;
  claimant: string;
  nowMs: number;
}>;

export type RunClaimDecision = Readonly<
  | { kind: 'claim' }
  /** Another workflow has it, or it is over. */
  | { kind: 'taken'; record: RunRecord }
  /** Its time has not come, and no person demanded it: it stays as it is. */
  | { kind: 'early' }
  | { kind: 'miss'; reason: string }
  | { kind: 'skip'; reason: string }
>;

/** Decides which workflow may carry a run out. One at a time gets it, and none after its batch has begun. */
export function decideClaim(facts: ClaimFacts): RunClaimDecision {
  const { run, record, pausedNote, isByHand, claimant, nowMs } = facts;
  if (record !== undefined) {
    const isOwn = record.claimedBy === claimant;
    if (isOwn && (record.state === 'STARTED' || record.state === 'RUNNING')) return CLAIM;
    const mayBegin = isByHand ? mayStartByHand(record) : mayBeginByItself(record);
    if (!mayBegin) return { kind: 'taken', record };
  }
  if (isByHand) return CLAIM;
  if (nowMs < run.startAtMs - CLOCK_ALLOWANCE_MS) return { kind: 'early' };
  if (pausedNote !== null) return { kind: 'skip', reason: pausedReason(pausedNote) };
  return nowMs > run.latestStartMs ? { kind: 'miss', reason: lateReason(run, nowMs) } : CLAIM;
}

const CLAIM = { kind: 'claim' } as const;

/**
 * The largest difference between the clocks of Temporal and of a worker at which a run that is begun in time does not
 * look early.
 */
const CLOCK_ALLOWANCE_MS = 60_000;

export const pausedReason = (note: string): string => `the schedule was paused: ${note}`;

/** Why a run that begins at `nowMs` is too late. */
export const lateReason = ({ dueAtMs, latestStartMs }: Run, nowMs: number): string =>
  `it could begin only ${roughDurationText(nowMs - dueAtMs)} after its due time, and ${roughDurationText(latestStartMs - dueAtMs)} are allowed`;
