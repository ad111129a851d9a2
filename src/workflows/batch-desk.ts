import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Controls } from '../contract/activities.ts';
import type { BatchInput } from '../contract/batch.ts';
import type { Act } from '../contract/messages.ts';
import {
  partitionWorkflowId,
  QUERY_STATUS,
  SIGNAL_FUNDS,
  UPDATE_CANCEL,
} from '../contract/names.ts';
import type { PartitionProgress } from '../contract/partition.ts';
import { isAct, isProgress } from '../contract/read-messages.ts';
import type { BatchStatus } from '../contract/status.ts';
import {
  askedHoldOf,
  balanceHoldOf,
  type Hold,
  type HoldKind,
  holdName,
  ruleHoldOf,
} from '../domain/holds/hold.ts';
import { type BatchState, mayMove } from '../domain/batch/batch-state.ts';
import { stopReasonOf } from '../domain/batch/stop-reason.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import { type BatchFigures, batchDetails, shortPart } from './batch-details.ts';
import { noteCancel } from './activities.ts';
import { openApprovalDesk } from './approval-desk.ts';
import { showStart, showState, showWaiting } from './batch-attributes.ts';
import { freshNotes, type Notes, type PartitionPlace } from './batch-notes.ts';
import { listenForControls } from './controls-signal.ts';
import { endedNoteOf, openHoldDesk, refuse, unreadNote } from './hold-desk.ts';
import { goOnSignal, progressSignal, stopSignal } from './partition-desk.ts';
import { onStoreTrouble, storeTrouble, storeTroublePart } from './store-trouble.ts';

export const batchStatusQuery = defineQuery<BatchStatus>(QUERY_STATUS);
export const fundsSignal = defineSignal(SIGNAL_FUNDS);
export const cancelUpdate = defineUpdate<void, [Act]>(UPDATE_CANCEL);

export type BatchDesk = ReturnType<typeof openBatchDesk>;

/**
 * Everything that reaches a batch from outside, and everything that it shows: query, details, search attributes.
 * Handlers only take notes; the workflow acts on them.
 */
export function openBatchDesk(input: BatchInput) {
  const notes = freshNotes(input);
  const show = (): void => setCurrentDetails(batchDetails(input, statusOf(notes), notes.figures));
  const { holds, approvals, restore } = openControls(input, notes, show);
  listen(input, notes, { show, takeHold: holds.take });
  showStart(input.batchId, notes.state);
  onStoreTrouble(() => showNeedsOperator(notes));
  onStoreTrouble(show);
  show();
  return {
    stopReason: () => stopReasonOf(notes),
    isCanceled: () => isStoppedByPerson(notes),
    refusedBy: () => notes.refused,
    /** Waits until everything that was decided is written down. */
    untilNoted: async (): Promise<void> => {
      await condition(allHandlersFinished);
      await notes.noting;
      await notes.news.untilTold();
    },
    news: notes.news,
    isHeld: () => notes.holds.length > 0,
    holdsOf: (kinds: readonly HoldKind[]) => notes.holds.filter(({ kind }) => kinds.includes(kind)),
    isHeldBy: (one: Hold) => notes.holds.some((hold) => holdName(hold) === holdName(one)),
    takeHold: holds.take,
    dropHold: holds.drop,
    ...fundsPart(notes),
    approvals,
    restore,
    /** Enters a state; the note says in one sentence what happens in it. */
    enter: (next: BatchState, note: string): void => {
      refuseMove(notes.state, next);
      if (next === 'AWAITING_FUNDS' && notes.state !== next) notes.news.awaitingFunds(note);
      Object.assign(notes, { state: next, note }, next === notes.state ? {} : { since: now() });
      showState(next);
      show();
    },
    showFigures: (more: Partial<BatchFigures>): void => {
      notes.figures = { ...notes.figures, ...more };
      show();
    },
    planPartitions: (total: number): void => {
      notes.partitionsTotal = total;
      show();
    },
    place: (partition: number, place: PartitionPlace): void => {
      const known = notes.partitions.get(partition);
      if (place !== 'started' || known === undefined) notes.partitions.set(partition, place);
      if (place === 'settled') notes.needsOperator.delete(partition);
      // A stop that came before the partition was there reaches it now.
      if (place === 'started') stopPartitions(input, notes);
      show();
    },
    hasSent: (partition: number): boolean => {
      const place = notes.partitions.get(partition);
      return place === 'sent' || place === 'settled';
    },
  };
}

/** The desks of people who approve, pause and resume. */
function openControls(input: BatchInput, notes: Notes, show: () => void) {
  const { batchId, submittedBy } = input;
  const endedNote = (): ErrorNote | undefined => endedNoteOf(batchId, notes.state);
  const ruleHold = (): Hold | null => askedHoldOf(notes.holds, isStoppedByPerson(notes));
  // A difference in the balance is about money that left already: people decide about it whether the batch was stopped or not.
  const stopReason = (): string | null =>
    balanceHoldOf(notes.holds) === null ? stopReasonOf(notes) : null;
  const changed = (): void => {
    notes.holds = holds.all();
    notes.approval = approvals.status();
    notes.refused ??= approvals.refusedBy();
    stopPartitions(input, notes);
    if (notes.holds.length === 0) tellPartitions(input, notes);
    showNeedsOperator(notes);
    show();
  };
  const holds = openHoldDesk({
    batchId,
    endedNote,
    stopReason,
    changed,
    state: () => notes.state,
    needsApproval: () => approvals.isNeeded(),
  });
  const approvals = openApprovalDesk({
    batchId,
    submittedBy,
    endedNote,
    stopReason,
    changed,
    hold: ruleHold,
    isPlanOpen: () => !PAYING_STATES.includes(notes.state),
    drop: (hold) => holds.drop(hold),
  });
  /** Goes on from what was decided so far, as the store has it, and from what is decided while it is read. */
  const restore = async (read: () => Promise<Controls>): Promise<Controls> => {
    const heard = { approvals: approvals.given(), holds: holds.all() };
    const controls = await read();
    notes.canceled ??= controls.canceled ?? null;
    approvals.restore(controls.approvals, heard.approvals);
    holds.restore(controls.holds, heard.holds);
    changed();
    return controls;
  };
  holds.listen();
  approvals.listen();
  listenForControls(batchId, () => endedNote() !== undefined, restore);
  return { holds, approvals, restore };
}

const isStoppedByPerson = ({ canceled, refused }: Notes): boolean =>
  canceled !== null || refused !== null;

/** States in which the plan is carried out: nobody can say yes or no to it any more. */
const PAYING_STATES: readonly BatchState[] = ['PAYING', 'SETTLING'];

/** Whether the account may hold more than when it was asked last. */
const fundsPart = (notes: Notes) => ({
  clearFundsNews: (): void => {
    notes.fundsNews = false;
  },
  hasFundsNews: () => notes.fundsNews,
});

type Told = Readonly<{ show(): void; takeHold(hold: Hold): void }>;

function listen(input: BatchInput, notes: Notes, { show, takeHold }: Told): void {
  const { batchId } = input;
  const cancel = async (act: Act): Promise<void> => {
    notes.canceled ??= act;
    stopPartitions(input, notes);
    show();
    await CancellationScope.nonCancellable(() => noteCancel({ batchId, ...act }));
  };
  setHandler(batchStatusQuery, () => statusOf(notes));
  setHandler(cancelUpdate, cancel, {
    validator: (act: Act) =>
      refuse(unreadNote(input, UPDATE_CANCEL, isAct(act)) ?? endedNoteOf(batchId, notes.state)),
  });
  setHandler(progressSignal, (news) => {
    if (!isProgress(news)) return;
    takeProgress(notes, news);
    if (news.halt !== null) stopPartitions(input, notes);
    if (news.hold !== undefined) takeHold(news.hold);
    showNeedsOperator(notes);
    show();
  });
  setHandler(fundsSignal, () => {
    notes.fundsNews = true;
  });
  // Whoever cancels in Temporal's own tools gets the same orderly end as with `bursar cancel`.
  CancellationScope.current().cancelRequested.catch(() => {
    notes.noting = cancel({ by: 'Temporal', reason: 'the workflow was canceled in Temporal' });
  });
}

/** A pause is somebody's wish; what a rule holds waits for an answer. */
function showNeedsOperator(notes: Notes): void {
  const { needsOperator: chunks, holds } = statusOf(notes);
  const needsOperator = chunks.length > 0 || ruleHoldOf(holds) !== null || storeTrouble() !== null;
  showWaiting({ needsOperator, held: holds.length > 0 });
  notes.news.needsOperator(chunks);
  notes.news.held(holds, notes.approval !== null);
}

function takeProgress(notes: Notes, news: PartitionProgress): void {
  // The news can come before the start of the partition is known here.
  if (news.sent && notes.partitions.get(news.partition) !== 'settled') {
    notes.partitions.set(news.partition, 'sent');
  }
  notes.needsOperator.set(news.partition, news.needsOperator);
  notes.halted ??= news.halt;
}

const statusOf = (notes: Notes): BatchStatus => ({
  state: notes.state,
  since: notes.since,
  note: notes.note,
  partitions: { total: notes.partitionsTotal, ...countPlaces(notes.partitions) },
  needsOperator: [...notes.needsOperator.values()].flat(),
  canceledBy: (notes.canceled ?? notes.refused)?.by ?? null,
  outlook: notes.figures.outlook ?? null,
  holds: notes.holds,
  approval: notes.approval,
  ...shortPart(notes.state, notes.figures),
  ...storeTroublePart(),
});

function stopPartitions({ batchId }: BatchInput, notes: Notes): void {
  const reason = stopReasonOf(notes);
  if (reason === null) return;
  for (const [partition, place] of notes.partitions) {
    if (place !== 'settled') void stop(batchId, partition, reason);
  }
}

function refuseMove(from: BatchState, to: BatchState): void {
  if (from === to || mayMove(from, to)) return;
  throw ApplicationFailure.nonRetryable(`a batch cannot go from ${from} to ${to}`);
}

const now = (): string => new Date().toISOString();

function countPlaces(partitions: ReadonlyMap<number, PartitionPlace>) {
  const places = [...partitions.values()];
  return {
    started: places.length,
    sent: places.filter((place) => place !== 'started').length,
    settled: places.filter((place) => place === 'settled').length,
  };
}

/** Partitions that were held hear that they may send again. */
function tellPartitions({ batchId }: BatchInput, notes: Notes): void {
  for (const [partition, place] of notes.partitions) {
    if (place === 'settled') continue;
    const handle = getExternalWorkflowHandle(partitionWorkflowId(batchId, partition));
    void CancellationScope.nonCancellable(() => handle.signal(goOnSignal))
      // A partition that has just ended has nothing left to send.
      .catch(() => undefined);
  }
}

async function stop(batchId: string, partition: number, reason: string): Promise<void> {
  const handle = getExternalWorkflowHandle(partitionWorkflowId(batchId, partition));
  // Handlers run in the workflow's own scope, and a cancel in Temporal's tools would cancel the stop itself.
  await CancellationScope.nonCancellable(() => handle.signal(stopSignal, reason))
    // A partition that has just ended has nothing left to stop.
    .catch(() => undefined);
}
