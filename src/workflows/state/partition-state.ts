import type { PartitionSnapshot } from '../../contract/partition.ts';
import {
  boardOf,
  type ChunkPosition,
  chunksAt,
  forgetChunk,
  isChunkAt,
  moveChunks,
  type PartitionBoard,
} from '../../domain/batch/partition-board.ts';
import type { VerificationProgress } from '../../domain/restore/progress.ts';
import { type Hold, holdName } from '../../domain/holds/hold.ts';
import {
  type FirstReads,
  firstReadTimes,
  NO_READS,
  type TimedSweep,
  withCreated,
  withReads,
  withoutUnread,
} from './first-reads.ts';

/** The events that one run of a partition has received, and their results. */
export type PartitionRunState = Readonly<{
  board: PartitionBoard;
  /** Chunks that webhooks named, and chunks that a person answered for, until the partition reads them. */
  hints: ReadonlySet<number>;
  answered: ReadonlySet<number>;
  /** Open chunks that a person should check, from the last sweep. */
  alarms: ReadonlySet<number>;
  /** Open chunks whose mass payout waits until a person confirms it at the service, by the last read of each. */
  unconfirmed: ReadonlySet<number>;
  /** How often the batch signaled that a hold is over. */
  resumes: number;
  /** Names of the holds that the batch has received from this partition. */
  reportedHolds: ReadonlySet<string>;
  /** Chunks of which a create is being sent by itself, or may have arrived. */
  sending: ReadonlySet<number>;
  /** Chunks that one activity sends now, those that it has not begun included. */
  group: ReadonlySet<number>;
  /** How far the verification of the batch was at the last signal to it; null: no chunk waits for it. */
  verifying: VerificationProgress | null;
  /** `resumes` and `stopped` as they were when the last send of each chunk began. */
  sends: ReadonlyMap<number, Readonly<{ resumes: number; stopped: string | null }>>;
  /** Why nothing more is sent; null while sending goes on. */
  stopped: string | null;
  /** Whether every chunk was sent, or will never be. */
  allSent: boolean;
  /** Whether the time of the first read of a mass payout is learnt; null in partitions of older workers. */
  firstReads: FirstReads | null;
  wasPolled: boolean;
  /** Whether this run stops where it stands, to go on in a new one. */
  isLeaving: boolean;
}>;

export const partitionAtStart = (
  start: PartitionSnapshot,
  learns: boolean = false,
): PartitionRunState => ({
  board: boardOf(start),
  hints: new Set(),
  answered: new Set(),
  alarms: new Set(),
  unconfirmed: new Set(start.unconfirmed ?? []),
  resumes: 0,
  reportedHolds: new Set(),
  sending: new Set(),
  group: new Set(),
  verifying: null,
  sends: new Map(),
  stopped: start.stopped,
  allSent: false,
  firstReads: learns ? NO_READS : null,
  wasPolled: false,
  isLeaving: false,
});

/** An event that changes a partition. */
export type PartitionEvent =
  | Readonly<{ kind: 'hinted'; chunks: readonly number[] }>
  | Readonly<{ kind: 'resumed' | 'all-sent' | 'polled' | 'left' | 'group-ended' }>
  | Readonly<{ kind: 'group-began'; chunks: readonly number[] }>
  | Readonly<{ kind: 'stopped'; reason: string }>
  | Readonly<{ kind: 'answered' | 'send-began' | 'forgotten' | 'call-taken'; chunk: number }>
  /** `inDoubt`: a create of the chunk may have arrived. */
  | Readonly<{
      kind: 'moved';
      chunks: readonly number[];
      to: ChunkPosition;
      inDoubt: boolean;
      atMs: number;
    }>
  | (TimedSweep & Readonly<{ kind: 'timed-reads' }>)
  | Readonly<{
      kind: 'swept';
      read: readonly number[];
      /** Those of the read ones that could not be read. */
      unread: readonly number[];
      alarmed: readonly number[];
      unconfirmed: readonly number[];
    }>
  | Readonly<{ kind: 'hold-reported'; hold: Hold }>
  | Readonly<{ kind: 'hints-taken' }>
  | Readonly<{ kind: 'verifying'; progress: VerificationProgress }>;

/** The state of a partition after an event. */
export function applyToPartition(
  state: PartitionRunState,
  event: PartitionEvent,
): PartitionRunState {
  switch (event.kind) {
    case 'hinted':
      return { ...state, hints: union(state.hints, event.chunks) };
    case 'answered':
      return { ...state, answered: union(state.answered, [event.chunk]) };
    case 'call-taken':
      return withoutCall(state, event.chunk);
    case 'hints-taken':
      return { ...state, hints: new Set([...state.hints].filter((one) => isPending(state, one))) };
    case 'resumed':
      return { ...state, resumes: state.resumes + 1 };
    case 'stopped':
      return { ...state, stopped: state.stopped ?? event.reason };
    case 'send-began':
      return { ...withSends(state, [event.chunk]), sending: union(state.sending, [event.chunk]) };
    case 'group-began':
      return { ...withSends(state, event.chunks), group: new Set(event.chunks) };
    case 'group-ended':
      return { ...state, group: new Set() };
    case 'moved':
      return withMove(state, event);
    case 'forgotten':
      return { ...state, board: forgetChunk(state.board, event.chunk) };
    case 'swept':
      return afterSweep(state, event);
    case 'hold-reported':
      return { ...state, reportedHolds: new Set(state.reportedHolds).add(holdName(event.hold)) };
    case 'verifying':
      return { ...state, verifying: event.progress };
    case 'all-sent':
      return { ...state, allSent: true, verifying: null };
    case 'timed-reads':
      return { ...state, firstReads: state.firstReads && withReads(state.firstReads, event) };
    case 'polled':
      return { ...state, wasPolled: true };
    case 'left':
      return { ...state, isLeaving: true };
  }
}

/** A mass payout that could not be read stays as its last read showed it. */
function afterSweep(
  state: PartitionRunState,
  { read, unread, alarmed, unconfirmed }: Extract<PartitionEvent, { kind: 'swept' }>,
): PartitionRunState {
  const silent = new Set(unread);
  const seen = read.filter((chunk) => !silent.has(chunk));
  return {
    ...state,
    alarms: union(without(state.alarms, read), alarmed),
    unconfirmed: union(without(state.unconfirmed, seen), unconfirmed),
    firstReads: state.firstReads && withoutUnread(state.firstReads, read),
  };
}

/** A call counts once: a hint first, then an answer. */
function withoutCall(state: PartitionRunState, chunk: number): PartitionRunState {
  return state.hints.has(chunk)
    ? { ...state, hints: without(state.hints, [chunk]) }
    : { ...state, answered: without(state.answered, [chunk]) };
}

function withSends(state: PartitionRunState, chunks: readonly number[]): PartitionRunState {
  const { resumes, stopped } = state;
  const sends = new Map(state.sends);
  for (const chunk of chunks) sends.set(chunk, { resumes, stopped });
  return { ...state, sends };
}

function withMove(
  state: PartitionRunState,
  { chunks, to, inDoubt, atMs }: Extract<PartitionEvent, { kind: 'moved' }>,
): PartitionRunState {
  const { firstReads } = state;
  return {
    ...state,
    board: moveChunks(state.board, chunks, to),
    firstReads:
      firstReads === null || to !== 'open' ? firstReads : withCreated(firstReads, chunks, atMs),
    sending: inDoubt ? union(state.sending, chunks) : without(state.sending, chunks),
  };
}

const union = (set: ReadonlySet<number>, more: readonly number[]): ReadonlySet<number> =>
  new Set([...set, ...more]);

const without = (set: ReadonlySet<number>, gone: readonly number[]): ReadonlySet<number> => {
  const left = new Set(set);
  for (const one of gone) left.delete(one);
  return left;
};

const isPending = ({ board }: PartitionRunState, chunk: number): boolean =>
  isChunkAt(board, chunk, 'pending');

/** Whether a webhook named the chunk, or a person answered for it. */
export const isCalled = ({ hints, answered }: PartitionRunState, chunk: number): boolean =>
  hints.has(chunk) || answered.has(chunk);

/** Open chunks that webhooks named. A hint for a chunk that is still being sent is kept for it. */
export const hintedChunks = ({ hints, board }: PartitionRunState): number[] =>
  [...hints].filter((chunk) => isChunkAt(board, chunk, 'open'));

/** In a partition that does not learn, the first poll comes as soon as everything was sent. */
export const isFirstPollDue = ({ allSent, wasPolled, firstReads }: PartitionRunState): boolean =>
  firstReads === null && allSent && !wasPolled;

/** Open chunks whose first read is due. `minMs`: the shortest wait between two reads. */
export const firstReadsDue = (state: PartitionRunState, nowMs: number, minMs: number): number[] =>
  openFirstReads(state, minMs)
    .filter(([, atMs]) => atMs <= nowMs)
    .map(([chunk]) => chunk);

/** When the next first read is due; Infinity: none is. */
export const nextFirstReadAtMs = (state: PartitionRunState, minMs: number): number =>
  openFirstReads(state, minMs).reduce((earliest, [, atMs]) => Math.min(earliest, atMs), Infinity);

const openFirstReads = ({ firstReads, board, allSent }: PartitionRunState, minMs: number) =>
  firstReads === null
    ? []
    : firstReadTimes(firstReads, {
        isOpen: (chunk) => isChunkAt(board, chunk, 'open'),
        allSent,
        minMs,
      });

/** Whether mass payouts may be at their end right after their create: nothing has shown yet that they take longer. */
export const mayPayAtOnce = ({ firstReads }: PartitionRunState, minMs: number): boolean =>
  firstReads !== null && (firstReads.delayMs ?? 0) < minMs;

/** Open chunks that a poll reads: all but those that wait for their first read. */
export const polledChunks = ({ board, firstReads }: PartitionRunState): number[] =>
  chunksAt(board, 'open').filter((chunk) => firstReads?.unread.has(chunk) !== true);

/** Whether the batch went on, or was stopped, since the last send of the chunk began. */
export const hasGoneOn = (state: PartitionRunState, chunk: number): boolean =>
  state.stopped !== null || state.resumes > (state.sends.get(chunk)?.resumes ?? 0);

/** Whether the batch was stopped since the last send of the chunk began. */
export const isNewlyStopped = (state: PartitionRunState, chunk: number): boolean =>
  state.stopped !== (state.sends.get(chunk)?.stopped ?? null);

export const isHoldReported = ({ reportedHolds }: PartitionRunState, hold: Hold): boolean =>
  reportedHolds.has(holdName(hold));

/** Whether the chunk has neither its mass payout nor its end. */
export const isUnsent = (state: PartitionRunState, chunk: number): boolean =>
  isPending(state, chunk) || isChunkAt(state.board, chunk, 'needsOperator');

/** How many pending chunks are being sent by themselves, or are in doubt. */
export const sendingCount = (state: PartitionRunState): number =>
  [...state.sending].filter((chunk) => isPending(state, chunk)).length;

/** How many pending chunks the activity under way sends. */
export const groupCount = (state: PartitionRunState): number =>
  [...state.group].filter((chunk) => isPending(state, chunk)).length;
