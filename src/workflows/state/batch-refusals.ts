import type { Resumed } from '../../contract/activities.ts';
import type { RefusedApproval } from '../../contract/approval-activities.ts';
import type { ApproveInput, Resume } from '../../contract/messages.ts';
import { approvalFault } from '../../domain/approval/check-approval.ts';
import { isEndState } from '../../domain/batch/batch-state.ts';
import { stopReasonOf } from '../../domain/batch/stop-reason.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { balanceHoldOf, holdText } from '../../domain/holds/hold.ts';
import { openQuestion } from './batch-approvals.ts';
import type { BatchRunState } from './batch-state.ts';

/** Why people can decide nothing about the batch any more; undefined while they can. */
export function endedNote({ batchId, state }: BatchRunState): ErrorNote | undefined {
  const isOver = state === 'REPORTING' || isEndState(state);
  return isOver ? noteOf('BATCH_ENDED', { batchId, state }) : undefined;
}

/**
 * Why people can neither hold the batch nor let it go on; null while they can. A difference in the balance is about money that
 * left already: people decide about it whether the batch was stopped or not.
 */
export const stopOfDecisions = (state: BatchRunState): string | null =>
  balanceHoldOf(state.holds.open) === null ? stopReasonOf(state) : null;

function stoppedNote(state: BatchRunState): ErrorNote | undefined {
  const stopped = stopOfDecisions(state);
  return stopped === null
    ? undefined
    : noteOf('BATCH_STOPPED', { batchId: state.batchId, stopped });
}

/** Why the batch cannot be paused; undefined when it can. */
export const pauseRefusal = (state: BatchRunState): ErrorNote | undefined =>
  endedNote(state) ?? stoppedNote(state) ?? sentNote(state);

const sentNote = ({ batchId, state }: BatchRunState): ErrorNote | undefined =>
  state === 'SETTLING' ? noteOf('NOTHING_TO_PAUSE', { batchId, state }) : undefined;

/** Why nothing was resumed, as the store found it. */
export function resumeRefusal(
  batchId: string,
  resumed: Exclude<Resumed, { kind: 'resumed' | 'recorded' }>,
  { hold }: Resume,
): ErrorNote {
  switch (resumed.kind) {
    case 'not-held':
      return noteOf('NOT_HELD', { batchId });
    case 'not-open': {
      const open = resumed.open.map(holdText).join(', ');
      return noteOf('HOLD_NOT_OPEN', { batchId, n: String(hold?.n ?? ''), open });
    }
    case 'needs-approval':
      return noteOf('HOLD_NEEDS_APPROVAL', { batchId, hold: resumed.hold.reason });
    case 'stopped':
      return noteOf('BATCH_STOPPED', { batchId, stopped: resumed.stopped });
    case 'refused':
      return resumed.error;
  }
}

/** Why an approval does not count now; null when it does. Any client can send it, in any form. */
export function approvalRefusal(
  state: BatchRunState,
  input: Partial<ApproveInput> | undefined,
  nowMs: number,
): ErrorNote | null {
  const { recorded, pending } = state.approvals;
  const closed = endedNote(state) ?? stoppedNote(state);
  if (closed !== undefined) return closed;
  return approvalFault(input?.approval, openQuestion(state), {
    given: [...recorded, ...pending],
    nowMs,
  });
}

/** The limit of recorded refusals of one batch. Its history must not grow with the messages of any client. */
const REFUSALS_RECORDED_MAX = 50;

/** Characters of an update that is kept in the history though it is refused; a whole approval has less than 3,000. */
const LENGTH_MAX = 5_000;

/** A batch that has ended records nothing, and an input that cannot be read names no person. */
const NOT_RECORDED: readonly string[] = ['BATCH_ENDED', 'APPROVAL_UNREADABLE'];

/** Characters of a name in the audit log. */
const NAME_LENGTH_MAX = 100;

/**
 * Whether an approval that is refused with this note is recorded. An update that its validator refuses leaves no trace, so one
 * that is recorded passes the validator into the history, and is refused there.
 */
export const isRefusalRecorded = (
  { refusalsRecorded }: BatchRunState,
  { code }: ErrorNote,
  input: unknown,
): boolean =>
  refusalsRecorded < REFUSALS_RECORDED_MAX && !NOT_RECORDED.includes(code) && isShort(input);

const isShort = (input: unknown): boolean =>
  ((JSON.stringify(input) as string | undefined) ?? '').length <= LENGTH_MAX;

/** The record of a refused approval. */
export function refusedApproval(
  { batchId }: BatchRunState,
  { code }: ErrorNote,
  input: Partial<ApproveInput> | undefined,
): RefusedApproval {
  const { person, decision }: Readonly<Record<string, unknown>> = input?.approval ?? {};
  const tried = decision === 'refuse' ? 'refuse' : 'approve';
  return { batchId, by: nameIn(input?.by), person: nameIn(person), decision: tried, code };
}

/** A name that an input carries; null where it carries none. */
export const nameIn = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, NAME_LENGTH_MAX) : null;
