import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Hint, Resolve } from '../contract/messages.ts';
import {
  batchWorkflowId,
  QUERY_STATUS,
  SIGNAL_HINT,
  SIGNAL_PROGRESS,
  SIGNAL_STOP,
  UPDATE_RESOLVE,
} from '../contract/names.ts';
import type { PartitionInput, PartitionProgress, PartitionStatus } from '../contract/partition.ts';
import {
  createPartitionBoard,
  freshSnapshot,
  type Place,
} from '../domain/batch/partition-board.ts';
import { noteOf } from '../domain/errors/bursar-error.ts';
import { answerChunk } from './activities.ts';
import { partitionDetails } from './details.ts';

export const hintSignal = defineSignal<[Hint]>(SIGNAL_HINT);
export const stopSignal = defineSignal<[string]>(SIGNAL_STOP);
export const progressSignal = defineSignal<[PartitionProgress]>(SIGNAL_PROGRESS);
export const partitionStatusQuery = defineQuery<PartitionStatus>(QUERY_STATUS);
export const resolveUpdate = defineUpdate<void, [Resolve]>(UPDATE_RESOLVE);

export type PartitionDesk = ReturnType<typeof openPartitionDesk>;

/**
 * Everything that reaches a partition from outside, and everything that it shows. Handlers only take notes, and are
 * registered before anything else happens, so that no signal is ever missed.
 */
export function openPartitionDesk(input: PartitionInput) {
  const start = input.resume ?? freshSnapshot(input.firstChunk, input.chunkCount);
  const board = createPartitionBoard(start);
  const hints = new Set<number>();
  const answered = new Set<number>();
  let stopped = start.stopped;
  let sent = false;
  let firstPolled = false;
  let leaving = false;

  setHandler(hintSignal, ({ chunks }) => {
    for (const chunk of chunks) hints.add(chunk);
  });
  setHandler(stopSignal, (reason) => {
    stopped ??= reason;
  });
  setHandler(partitionStatusQuery, () => ({
    chunks: board.counts(),
    needsOperator: board.at('needsOperator'),
    stopped,
  }));
  setHandler(
    resolveUpdate,
    async (answer) => {
      await answerChunk({ batchId: input.batchId, answer });
      answered.add(answer.chunk);
    },
    { validator: ({ chunk }) => refuseUnlessWaiting(board, input, chunk) },
  );

  const show = (): void => setCurrentDetails(partitionDetails(input, board.counts(), stopped));
  const tell = async (news: Partial<PartitionProgress>): Promise<void> => {
    const needsOperator = board.at('needsOperator');
    const all = { partition: input.partition, sent, halt: null, needsOperator, ...news };
    await getExternalWorkflowHandle(batchWorkflowId(input.batchId))
      .signal(progressSignal, all)
      // The batch may be gone (terminated by hand); what was sent is settled all the same.
      .catch(() => undefined);
  };
  show();

  return {
    board,
    tell,
    stopped: () => stopped,
    isCanary: (chunk: number): boolean => input.canary && chunk === input.firstChunk,
    isUnsent: (chunk: number): boolean =>
      board.isAt(chunk, 'pending') || board.isAt(chunk, 'needsOperator'),
    /** Whether this run stops where it stands, to go on in a new one. */
    isLeaving: () => leaving,
    leave: (): void => {
      leaving = true;
    },
    /** Nothing more leaves, here and, once the batch has heard of it, elsewhere. */
    halt: (reason: string): void => {
      stopped ??= reason;
      void tell({ halt: reason });
    },
    move: (chunk: number, place: Place): void => {
      const wasWaiting = board.isAt(chunk, 'needsOperator');
      board.move(chunk, place);
      show();
      if (wasWaiting === (place === 'needsOperator')) return;
      upsertSearchAttributes([
        { key: NEEDS_OPERATOR, value: board.at('needsOperator').length > 0 },
      ]);
      void tell({});
    },
    /** Whether somebody called for this chunk: a webhook named it, or a person answered. A call counts once. */
    takeCall: (chunk: number): boolean => hints.delete(chunk) || answered.delete(chunk),
    hasHints: (): boolean => [...hints].some((chunk) => board.isAt(chunk, 'open')),
    /** Open chunks that webhooks named since the last look; what names no open chunk is forgotten. */
    takeHints: (): number[] => {
      const open = [...hints].filter((chunk) => board.isAt(chunk, 'open'));
      for (const chunk of hints) if (!board.isAt(chunk, 'pending')) hints.delete(chunk);
      return open;
    },
    doneSending: (): void => {
      sent = true;
    },
    hasDoneSending: () => sent,
    /** The first poll comes as soon as everything was sent: a quick service has settled it by then. */
    firstPollIsDue: (): boolean => sent && !firstPolled && board.at('open').length > 0,
    takeFirstPoll: (): boolean => {
      const due = sent && !firstPolled;
      firstPolled ||= due;
      return due;
    },
  };
}

const NEEDS_OPERATOR = defineSearchAttributeKey('BursarNeedsOperator', 'BOOL');

function refuseUnlessWaiting(
  board: ReturnType<typeof createPartitionBoard>,
  { batchId }: PartitionInput,
  chunk: number,
): void {
  if (board.isAt(chunk, 'needsOperator')) return;
  const note = noteOf('CHUNK_NOT_WAITING', { chunk: String(chunk), batchId });
  throw ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });
}
