import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import type { BatchStatus } from '../../contract/status.ts';
import { isPlainName } from '../../domain/approval/people.ts';
import { type BatchState, isEndState } from '../../domain/batch/batch-state.ts';
import { ruleHoldOf } from '../../domain/holds/hold.ts';
import { code, type Markdown } from '../../domain/text/markdown.ts';

/** An action that a person can take on a batch, and its command. */
export type OperatorStep = readonly [to: string, run: Markdown];

/** An id that stands in a command that people copy. Whoever started the workflow by other means may have given it any. */
export const idInCommand = (id: string): string => (isPlainName(id) ? id : 'ID');

/** What can be done about a batch as it stands, the most urgent first. `result`: how it ended, once it did. */
export function stepsOf(
  { batchId }: Pick<BatchInput, 'batchId'>,
  status: BatchStatus,
  result?: BatchResult,
): OperatorStep[] {
  const id = idInCommand(batchId);
  if (result !== undefined) return stepsAfter(id, result);
  if (status.state === 'REPORTING' || isEndState(status.state)) return [];
  return [
    ...operatorSteps(id, status),
    ...holdSteps(id, status),
    ...approvalSteps(id, status),
    ...fundsSteps(status),
    ...courseSteps(id, status),
  ];
}

const step = (to: string, run: string): OperatorStep => [to, code(`bursar ${run}`)];

const operatorSteps = (id: string, { needsOperator }: BatchStatus): OperatorStep[] =>
  needsOperator.length === 0
    ? []
    : [step('see what to look for, and how to answer', `status ${id}`)];

/** The three answers for a chunk in NEEDS_OPERATOR. */
export const answersFor = (id: string, chunk: number): OperatorStep[] => [
  step(
    'say that the service has it, under this id',
    `resolve ${id} ${chunk} adopt MASS_PAYOUT_ID --reason TEXT`,
  ),
  step('say that it is not there, by a command that this prints: it is sent again', `status ${id}`),
  step('give it up: its rows are UNKNOWN', `resolve ${id} ${chunk} abandon --reason TEXT`),
];

/** A person who may resume ends a pause. They end the hold of a rule too, unless approvers decide about it. */
function holdSteps(id: string, { holds, approval }: BatchStatus): OperatorStep[] {
  const isPaused = holds.some(({ kind }) => kind === 'PAUSE');
  const isForAnyone = ruleHoldOf(holds) !== null && approval === null;
  return isPaused || isForAnyone ? [step('let it go on', `resume ${id} --reason TEXT`)] : [];
}

const approvalSteps = (id: string, { approval }: BatchStatus): OperatorStep[] =>
  approval === null || approval.missing.length === 0
    ? []
    : [
        step('approve it', `approve ${id} --key FILE`),
        step('refuse it', `refuse ${id} --key FILE --reason TEXT`),
      ];

const fundsSteps = ({ state }: BatchStatus): OperatorStep[] =>
  state === 'AWAITING_FUNDS'
    ? [step('see who wants what of the account; a top-up lets it go on', 'funds')]
    : [];

const SENT: readonly BatchState[] = ['PAYING', 'SETTLING'];

function courseSteps(
  id: string,
  { state, holds, canceledBy, needsOperator }: BatchStatus,
): OperatorStep[] {
  const isToLookAt = SENT.includes(state) && needsOperator.length === 0;
  const look = isToLookAt ? [step('see what is paid so far', `status ${id}`)] : [];
  if (state === 'SETTLING' || canceledBy !== null) return look;
  return [
    ...look,
    ...(holds.length > 0 ? [] : [step('stop it for now', `pause ${id} --reason TEXT`)]),
    step('cancel it: nothing more is sent', `cancel ${id} --reason TEXT`),
  ];
}

function stepsAfter(id: string, { rows, error }: BatchResult): OperatorStep[] {
  if (rows.unknown > 0) {
    const to = 'find out about the rows that nobody knows of; pay none again before';
    return [step(to, `rows ${id} --outcome UNKNOWN`)];
  }
  const mayResend = rows.failed > 0 && error === null;
  return mayResend ? [step('pay the rows once more that failed', `resend ${id}`)] : [];
}
