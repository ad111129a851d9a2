import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import type { Controls } from '../../contract/activities.ts';
import type { Act } from '../../contract/messages.ts';
import type { PartitionProgress } from '../../contract/partition.ts';
import type { ApprovalStatus, BatchStatus } from '../../contract/status.ts';
import {
  type GivenApprovals,
  NO_APPROVALS,
  withoutPending,
  withPending,
  withRecorded,
  withStored,
} from '../../domain/approval/given-approvals.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import type { Hold, HoldKind } from '../../domain/holds/hold.ts';
import type { VerificationProgress } from '../../domain/restore/progress.ts';
import { NO_HOLDS, type OpenHolds, withHold, withoutHold } from '../../domain/holds/open-holds.ts';
import type { Money } from '../../domain/plan/rules.ts';

/** Figures of a batch that its page shows, once they are there. */
export type BatchFigures = Readonly<{
  rows: number;
  refusedRows: number;
  chunks: number;
  totals: string;
  fees: string;
  /** Whether the account will hold enough at the time of the batch, in a sentence. */
  outlook: string;
  /** What the account lacked at the last balance read. */
  short: readonly Money[];
  /** Until when it waits for a top-up, ISO 8601. */
  fundsUntil: string;
  digest: string;
  result: BatchResult;
}>;

/** The plan that is put before approvers. */
export type ProposedPlan = Readonly<{
  policy: ApprovalPolicy | null;
  digest: string;
  totals: readonly CurrencyTotal[];
}>;

export type PartitionPosition = 'started' | 'sent' | 'settled';

/** The events that one run of a batch has received, and their results. */
export type BatchRunState = Readonly<{
  batchId: string;
  submittedBy: string;
  state: BatchState;
  since: string;
  note: string;
  figures: Partial<BatchFigures>;
  partitionsTotal: number;
  partitions: ReadonlyMap<number, PartitionPosition>;
  /** Chunks that need an operator, by partition. */
  needsOperator: ReadonlyMap<number, readonly number[]>;
  /** Partitions with mass payouts that wait for a confirmation at the service. */
  unconfirmed: ReadonlySet<number>;
  /** How far the verification of the batch was when a partition signaled it last; null: no chunk waits for it. */
  verifying: VerificationProgress | null;
  canceled: Act | null;
  /** The first refusal of an approver. Before anything was paid it refuses the batch, and later it cancels the rest. */
  refused: Act | null;
  /** Why a partition had everything stop. */
  halted: string | null;
  /** Whether the account may hold more than at the last balance read. */
  hasFundsSignal: boolean;
  plan: ProposedPlan | null;
  approvals: GivenApprovals;
  holds: OpenHolds;
  /** The question to approvers at the last decision. */
  approval: ApprovalStatus | null;
  /** How many refused approvals were recorded. */
  refusalsRecorded: number;
  notified: Notified;
}>;

/** The notifications that were sent already. */
export type Notified = Readonly<{
  approvalWaits: number;
  fundsWaits: number;
  /** Numbers of holds. */
  holds: ReadonlySet<number>;
  needsOperator: boolean;
}>;

export const batchAtStart = (
  { batchId, submittedBy }: BatchInput,
  atMs: number,
): BatchRunState => ({
  batchId,
  submittedBy,
  state: 'INGESTING',
  since: new Date(atMs).toISOString(),
  note: 'checking every row',
  figures: {},
  partitionsTotal: 0,
  partitions: new Map(),
  needsOperator: new Map(),
  unconfirmed: new Set(),
  verifying: null,
  canceled: null,
  refused: null,
  halted: null,
  hasFundsSignal: false,
  plan: null,
  approvals: NO_APPROVALS,
  holds: NO_HOLDS,
  approval: null,
  refusalsRecorded: 0,
  notified: { approvalWaits: 0, fundsWaits: 0, holds: new Set(), needsOperator: false },
});

/** An event that changes a batch. */
export type BatchEvent =
  /** `note` describes in one sentence the work in the state. */
  | Readonly<{ kind: 'entered'; to: BatchState; note: string; atMs: number }>
  | Readonly<{ kind: 'figures-came'; figures: Partial<BatchFigures> }>
  | Readonly<{ kind: 'partitions-planned'; total: number }>
  | Readonly<{ kind: 'partition-moved'; partition: number; to: PartitionPosition }>
  | Readonly<{ kind: 'progressed'; progress: PartitionProgress }>
  | Readonly<{ kind: 'canceled'; act: Act }>
  | Readonly<{ kind: 'funds-signaled' | 'funds-asked' | 'refusal-recorded' | 'approvers-asked' }>
  | Readonly<{ kind: 'plan-proposed'; plan: ProposedPlan }>
  | Readonly<{ kind: 'hold-put' | 'hold-lifted'; hold: Hold }>
  | Readonly<{
      kind: 'approval-came' | 'approval-recorded' | 'approval-handled';
      approval: Approval;
    }>
  /** `before`: the approvals that the batch had when it began to read the store. */
  | Readonly<{ kind: 'approvals-read'; stored: readonly Approval[]; before: readonly Approval[] }>
  | Readonly<{ kind: 'cancel-read'; canceled: Controls['canceled'] }>
  | Readonly<{ kind: 'judged'; approval: ApprovalStatus | null; refused: Act | null }>
  | Readonly<{ kind: 'people-notified' }>;

/** The state of a batch after an event. */
export function applyToBatch(state: BatchRunState, event: BatchEvent): BatchRunState {
  switch (event.kind) {
    case 'entered':
      return afterEntry(state, event);
    case 'figures-came':
      return { ...state, figures: { ...state.figures, ...event.figures } };
    case 'partitions-planned':
      return { ...state, partitionsTotal: event.total };
    case 'partition-moved':
      return afterMove(state, event.partition, event.to);
    case 'progressed':
      return afterProgress(state, event.progress);
    case 'canceled':
      return { ...state, canceled: state.canceled ?? event.act };
    case 'cancel-read':
      return { ...state, canceled: state.canceled ?? event.canceled ?? null };
    case 'funds-signaled':
      return { ...state, hasFundsSignal: true };
    case 'funds-asked':
      return { ...state, hasFundsSignal: false };
    case 'plan-proposed':
      return { ...state, plan: event.plan };
    case 'hold-put':
      return { ...state, holds: withHold(state.holds, event.hold) };
    case 'hold-lifted':
      return { ...state, holds: withoutHold(state.holds, event.hold) };
    case 'approval-came':
      return { ...state, approvals: withPending(state.approvals, event.approval) };
    case 'approval-recorded':
      return { ...state, approvals: withRecorded(state.approvals, event.approval) };
    case 'approval-handled':
      return { ...state, approvals: withoutPending(state.approvals, event.approval) };
    case 'approvals-read':
      return { ...state, approvals: withStored(state.approvals, event.stored, event.before) };
    case 'refusal-recorded':
      return { ...state, refusalsRecorded: state.refusalsRecorded + 1 };
    case 'judged':
      return { ...state, approval: event.approval, refused: state.refused ?? event.refused };
    case 'approvers-asked':
      return withNotified(state, { approvalWaits: state.notified.approvalWaits + 1 });
    case 'people-notified':
      return afterNotifying(state);
  }
}

function afterEntry(
  state: BatchRunState,
  { to, note, atMs }: Readonly<{ to: BatchState; note: string; atMs: number }>,
): BatchRunState {
  if (to === state.state) return { ...state, note };
  const entered = { ...state, state: to, note, since: new Date(atMs).toISOString() };
  return to === 'AWAITING_FUNDS'
    ? withNotified(entered, { fundsWaits: state.notified.fundsWaits + 1 })
    : entered;
}

/** A partition that starts again keeps its position. */
function afterMove(state: BatchRunState, partition: number, to: PartitionPosition): BatchRunState {
  if (to === 'started' && state.partitions.has(partition)) return state;
  const needsOperator = new Map(state.needsOperator);
  if (to === 'settled') needsOperator.delete(partition);
  const unconfirmed = to === 'settled' ? withPartition(state, partition, 0) : state.unconfirmed;
  const partitions = new Map(state.partitions).set(partition, to);
  return { ...state, needsOperator, unconfirmed, partitions };
}

function afterProgress(
  state: BatchRunState,
  { partition, sent, needsOperator, unconfirmed, halt, verifying }: PartitionProgress,
): BatchRunState {
  // The signal can come before the workflow has the start of the partition.
  const isSent = sent && state.partitions.get(partition) !== 'settled';
  return {
    ...state,
    partitions: isSent ? new Map(state.partitions).set(partition, 'sent') : state.partitions,
    needsOperator: new Map(state.needsOperator).set(partition, needsOperator),
    unconfirmed: withPartition(state, partition, unconfirmed ?? 0),
    verifying: sent ? null : (verifying ?? state.verifying),
    halted: state.halted ?? halt,
  };
}

/** The partitions with mass payouts that wait for a confirmation, once one of them has so many. */
function withPartition(
  { unconfirmed }: BatchRunState,
  partition: number,
  count: number,
): ReadonlySet<number> {
  const next = new Set(unconfirmed);
  if (count > 0) next.add(partition);
  else next.delete(partition);
  return next;
}

const withNotified = (state: BatchRunState, more: Partial<Notified>): BatchRunState => ({
  ...state,
  notified: { ...state.notified, ...more },
});

const afterNotifying = (state: BatchRunState): BatchRunState =>
  withNotified(state, {
    holds: new Set([...state.notified.holds, ...state.holds.open.map(({ n }) => n)]),
    needsOperator: operatorChunksOf(state).length > 0,
  });

/** Chunks of all partitions that need an operator. */
export const operatorChunksOf = ({ needsOperator }: BatchRunState): number[] =>
  [...needsOperator.values()].flat();

export const isStoppedByPerson = ({ canceled, refused }: BatchRunState): boolean =>
  canceled !== null || refused !== null;

export const isHeld = ({ holds }: BatchRunState): boolean => holds.open.length > 0;

export const holdsOfKinds = ({ holds }: BatchRunState, kinds: readonly HoldKind[]): Hold[] =>
  holds.open.filter(({ kind }) => kinds.includes(kind));

/** Whether the partition has nothing more to send. */
export function hasSent({ partitions }: BatchRunState, partition: number): boolean {
  const position = partitions.get(partition);
  return position === 'sent' || position === 'settled';
}

/** Partitions that may still send or settle. */
export const openPartitions = ({ partitions }: BatchRunState): number[] =>
  [...partitions].filter(([, position]) => position !== 'settled').map(([partition]) => partition);

/** The answer to the query `status`, without the trouble of its store. */
export const batchStatus = (state: BatchRunState): BatchStatus => ({
  state: state.state,
  since: state.since,
  note: state.note,
  partitions: { total: state.partitionsTotal, ...partitionCounts(state) },
  needsOperator: operatorChunksOf(state),
  ...(state.unconfirmed.size > 0 && { isUnconfirmed: true }),
  canceledBy: (state.canceled ?? state.refused)?.by ?? null,
  outlook: state.figures.outlook ?? null,
  holds: state.holds.open,
  approval: state.approval,
  ...fundsPart(state),
  ...(state.verifying === null ? {} : { verifying: state.verifying }),
});

function partitionCounts({ partitions }: BatchRunState) {
  const positions = [...partitions.values()];
  return {
    started: positions.length,
    sent: positions.filter((position) => position !== 'started').length,
    settled: positions.filter((position) => position === 'settled').length,
  };
}

/** The missing amounts, and the deadline, while the batch waits for funds. */
const fundsPart = ({ state, figures: { short = [], fundsUntil } }: BatchRunState) =>
  state === 'AWAITING_FUNDS'
    ? { ...(short.length > 0 && { short }), ...(fundsUntil !== undefined && { fundsUntil }) }
    : {};
