import {
  CancellationScope,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Refused } from '../contract/activities.ts';
import type { Hint, Resolve, SignedActResult } from '../contract/messages.ts';
import {
  batchWorkflowId,
  QUERY_STATUS,
  SIGNAL_GO_ON,
  SIGNAL_HINT,
  SIGNAL_PROGRESS,
  SIGNAL_STOP,
  UPDATE_RESOLVE,
} from '../contract/names.ts';
import type { PartitionInput, PartitionProgress, PartitionStatus } from '../contract/partition.ts';
import { isHint } from '../contract/read-messages.ts';
import {
  type BoardSnapshot,
  createPartitionBoard,
  freshSnapshot,
  type PartitionBoard,
  type Place,
} from '../domain/batch/partition-board.ts';
import { noteOf } from '../domain/errors/bursar-error.ts';
import { type Hold, holdName } from '../domain/holds/hold.ts';
import { answerChunk } from './activities.ts';
import { KEYS } from './batch-attributes.ts';
import { partitionDetails } from './details.ts';
import { refusalOf } from './hold-desk.ts';

export const hintSignal = defineSignal<[Hint]>(SIGNAL_HINT);
export const stopSignal = defineSignal<[string]>(SIGNAL_STOP);
export const goOnSignal = defineSignal(SIGNAL_GO_ON);
export const progressSignal = defineSignal<[PartitionProgress]>(SIGNAL_PROGRESS);
export const partitionStatusQuery = defineQuery<PartitionStatus>(QUERY_STATUS);
export const resolveUpdate = defineUpdate<SignedActResult, [Resolve]>(UPDATE_RESOLVE);

/** What a partition has been told and has done so far. */
type Notes = {
  readonly board: PartitionBoard;
  /** Chunks that webhooks named, and chunks that a person answered for, since somebody looked. */
  readonly hints: Set<number>;
  readonly answered: Set<number>;
  /** Open chunks that somebody should look at, as the last sweep of them said. */
  readonly alarms: Set<number>;
  /** How often the batch said that what held it is over, and the holds that it was told of. */
  goneOn: number;
  readonly heldBy: Set<string>;
  /** Chunks of which a create is being sent, or of which nobody knows yet whether one arrived. */
  readonly sending: Set<number>;
  /** Of each chunk: how often the batch had gone on, and why it was stopped, when its last send began. */
  readonly sends: Map<number, Readonly<{ goneOn: number; stopped: string | null }>>;
  stopped: string | null;
  sent: boolean;
  firstPolled: boolean;
  leaving: boolean;
  readonly running: Promise<void>[];
};

export type PartitionDesk = ReturnType<typeof openPartitionDesk>;

/**
 * Everything that reaches a partition from outside, and everything that it shows. Handlers only take notes, and are
 * registered before anything else happens, so that no signal is ever missed.
 */
export function openPartitionDesk(input: PartitionInput) {
  const start = input.resume ?? freshSnapshot(input.firstChunk, input.chunkCount);
  const board = createPartitionBoard(start);
  const notes = freshNotes(board, start);
  listen(input, notes);
  const show = (): void => setCurrentDetails(pageOf(input, notes));
  show();
  if (start.operatorShown === true) showNeedsOperator(input, notes);
  return {
    board,
    stopped: () => notes.stopped,
    isCanary: (chunk: number): boolean => input.canary && chunk === input.firstChunk,
    isUnsent: (chunk: number): boolean =>
      board.isAt(chunk, 'pending') || board.isAt(chunk, 'needsOperator'),
    /** All that the next run needs to go on from here. */
    snapshot: (): BoardSnapshot => ({
      ...board.snapshot(notes.stopped),
      operatorShown: operatorChunks(notes).length > 0,
    }),
    /** Whether this run stops where it stands, to go on in a new one. */
    isLeaving: () => notes.leaving,
    leave: (): void => {
      notes.leaving = true;
    },
    /** Nothing more leaves, here and, once the batch has heard of it, elsewhere. */
    halt: (reason: string): void => {
      notes.stopped ??= reason;
      void tell(input, notes, { halt: reason });
    },
    /** Notes where a chunk stands; `inDoubt`: one of its creates may have arrived. */
    move: (chunk: number, place: Place, { inDoubt = false } = {}): void => {
      if (!inDoubt) notes.sending.delete(chunk);
      const wasWaiting = board.isAt(chunk, 'needsOperator');
      board.move(chunk, place);
      show();
      if (wasWaiting !== (place === 'needsOperator')) showNeedsOperator(input, notes);
    },
    /**
     * Notes which of the chunks that were just read somebody should look at. The batch hears when the first one comes and
     * when the last one goes: its history must not grow with every chunk of a service that is down.
     */
    noteAlarms: (read: readonly number[], alarmed: readonly number[] = []): void => {
      const had = notes.alarms.size > 0;
      for (const chunk of read) notes.alarms.delete(chunk);
      for (const chunk of alarmed) notes.alarms.add(chunk);
      show();
      if (had !== notes.alarms.size > 0) showNeedsOperator(input, notes);
    },
    /** Takes back a chunk whose mass payout the store does not know, though it was created. */
    forget: (chunk: number): void => {
      board.forget(chunk);
      show();
    },
    /** Whether somebody called for this chunk: a webhook named it, or a person answered. A call counts once. */
    takeCall: (chunk: number): boolean => notes.hints.delete(chunk) || notes.answered.delete(chunk),
    /** Tells the batch that every chunk was sent or is followed, so that the next partition can begin. */
    tellSent: (): Promise<void> => tell(input, notes, { sent: true }),
    doneSending: (): void => {
      notes.sent = true;
    },
    hasDoneSending: () => notes.sent,
    ...runningPart(notes),
    ...holdPart(input, notes),
    ...sendPart(notes, show),
    ...pollDesk(notes),
  };
}

const freshNotes = (board: PartitionBoard, { stopped }: BoardSnapshot): Notes => ({
  board,
  hints: new Set(),
  answered: new Set(),
  alarms: new Set(),
  goneOn: 0,
  heldBy: new Set(),
  sending: new Set(),
  sends: new Map(),
  stopped,
  sent: false,
  firstPolled: false,
  leaving: false,
  running: [],
});

function pageOf(input: PartitionInput, { board, alarms, sending, stopped }: Notes): string {
  const isPending = (chunk: number): boolean => board.isAt(chunk, 'pending');
  return partitionDetails(input, {
    counts: board.counts(),
    needsOperator: board.at('needsOperator'),
    alarms,
    sending: [...sending].filter(isPending).length,
    stopped,
  });
}

/** Work beside the lanes. */
const runningPart = (notes: Notes) => ({
  /** Work that must end before this run does. */
  alsoRunning: (work: Promise<void>): void => {
    notes.running.push(work);
  },
  untilAllRan: async (): Promise<void> => {
    await Promise.all(notes.running);
  },
});

/** What is known of holds of the batch. */
const holdPart = (input: PartitionInput, notes: Notes) => ({
  /** Tells the batch what holds it, once for each hold. */
  noteHold: (hold: Hold): void => {
    if (notes.heldBy.has(holdName(hold))) return;
    notes.heldBy.add(holdName(hold));
    void tell(input, notes, { hold });
  },
  /** Whether the batch went on, or was stopped, since the last send of the chunk began. */
  hasGoneOn: (chunk: number): boolean =>
    notes.stopped !== null || notes.goneOn > (notes.sends.get(chunk)?.goneOn ?? 0),
  /** Whether the batch was stopped since the last send of the chunk began. */
  isStopNews: (chunk: number): boolean =>
    notes.stopped !== (notes.sends.get(chunk)?.stopped ?? null),
});

/** What is known of sends. */
const sendPart = (notes: Notes, show: () => void) => ({
  /** Remembers that a send of the chunk begins now: what the batch says from here on is news to it. */
  beginSend: (chunk: number): void => {
    const { goneOn, stopped } = notes;
    notes.sends.set(chunk, { goneOn, stopped });
    notes.sending.add(chunk);
    show();
  },
});

/** What says when to read mass payouts, and which. */
const pollDesk = (notes: Notes) => ({
  hasHints: (): boolean => openHints(notes).length > 0,
  takeHints: (): number[] => takeHints(notes),
  /** The first poll comes as soon as everything was sent: a quick service has settled it by then. */
  firstPollIsDue: (): boolean =>
    notes.sent && !notes.firstPolled && notes.board.at('open').length > 0,
  takeFirstPoll: (): boolean => {
    const due = notes.sent && !notes.firstPolled;
    notes.firstPolled ||= due;
    return due;
  },
});

function listen(input: PartitionInput, notes: Notes): void {
  const { board, hints, answered } = notes;
  setHandler(hintSignal, (hint) => {
    if (isHint(hint)) for (const chunk of hint.chunks) hints.add(chunk);
  });
  setHandler(goOnSignal, () => {
    notes.goneOn += 1;
  });
  setHandler(stopSignal, (reason: unknown) => {
    if (typeof reason === 'string') notes.stopped ??= reason;
  });
  setHandler(partitionStatusQuery, () => ({
    chunks: board.counts(),
    needsOperator: operatorChunks(notes),
    stopped: notes.stopped,
  }));
  setHandler(
    resolveUpdate,
    async (answer) => {
      // Handlers run in the workflow's own scope, which may have been canceled long ago.
      const { batchId } = input;
      const result = await CancellationScope.nonCancellable(() => answerChunk({ batchId, answer }));
      if (isRefused(result)) throw refusalOf(result.error);
      answered.add(answer.chunk);
      return result;
    },
    { validator: ({ chunk }) => refuseUnlessWaiting(board, input, chunk) },
  );
}

/** Histories of earlier workers hold other results, and none of them is a refusal. */
const isRefused = (result: unknown): result is Refused =>
  typeof result === 'object' && result !== null && 'kind' in result;

async function tell(
  { batchId, partition }: PartitionInput,
  notes: Notes,
  news: Partial<PartitionProgress>,
): Promise<void> {
  const needsOperator = operatorChunks(notes);
  const batch = getExternalWorkflowHandle(batchWorkflowId(batchId));
  const all = { partition, sent: notes.sent, halt: null, needsOperator, ...news };
  await CancellationScope.nonCancellable(() => batch.signal(progressSignal, all))
    // The batch may be gone (terminated by hand); what was sent is settled all the same.
    .catch(() => undefined);
}

function showNeedsOperator(input: PartitionInput, notes: Notes): void {
  const waiting = operatorChunks(notes).length > 0;
  upsertSearchAttributes([{ key: KEYS.needsOperator, value: waiting }]);
  void tell(input, notes, {});
}

/** Chunks that wait for an answer, and those that somebody should look at. */
const operatorChunks = ({ board, alarms }: Notes): number[] => [
  ...board.at('needsOperator'),
  ...alarms,
];

const openHints = ({ hints, board }: Notes): number[] =>
  [...hints].filter((chunk) => board.isAt(chunk, 'open'));

/** Open chunks that webhooks named since the last look. Hints for chunks that are still being sent are kept for them. */
function takeHints(notes: Notes): number[] {
  const open = openHints(notes);
  for (const chunk of notes.hints) {
    if (!notes.board.isAt(chunk, 'pending')) notes.hints.delete(chunk);
  }
  return open;
}

function refuseUnlessWaiting(
  board: PartitionBoard,
  { batchId }: PartitionInput,
  chunk: number,
): void {
  if (board.isAt(chunk, 'needsOperator')) return;
  const note = noteOf('CHUNK_NOT_WAITING', { chunk: String(chunk), batchId });
  throw refusalOf(note);
}
