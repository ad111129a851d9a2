import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import type { BatchStatus } from '../../contract/status.ts';
import { isPlainName } from '../../domain/approval/people.ts';
import { type BatchState, isEndState } from '../../domain/batch/batch-state.ts';
import { ruleHoldOf } from '../../domain/holds/hold.ts';
import { code, type Markdown } from '../../domain/text/markdown.ts';

/** An action that a person can take on a batch, and its command. */
export type OperatorStep = readonly [to: string, run: Markdown];

/** An id for a command that people copy. A workflow that another program started may have any text as its id. */
export const idInCommand = (id: string): string => (isPlainName(id) ? id : 'ID');

/** The actions that people can take on a batch now, the most urgent first. `result`: how it ended, once it did. */
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
    : [step('see the question, and how to answer it', `status ${id}`)];

/** The three answers to the question about a chunk. */
export const answersFor = (id: string, chunk: number): OperatorStep[] => [
  step(
    'adopt the mass payout of the service with this id',
    `resolve ${id} ${chunk} adopt MASS_PAYOUT_ID --reason TEXT`,
  ),
  step(
    'send it again, since the service does not have it (this prints the command)',
    `status ${id}`,
  ),
  step(
    'give it up: the outcome of its rows is unknown',
    `resolve ${id} ${chunk} abandon --reason TEXT`,
  ),
];

/** A person who may resume ends a pause. They end the hold of a rule too, unless approvers decide about it. */
function holdSteps(id: string, { holds, approval }: BatchStatus): OperatorStep[] {
  const isPaused = holds.some(({ kind }) => kind === 'PAUSE');
  const isForAnyone = ruleHoldOf(holds) !== null && approval === null;
  return isPaused || isForAnyone ? [step('resume it', `resume ${id} --reason TEXT`)] : [];
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
    ? [step('see which batches need the money of the account; a top-up resumes it', 'funds')]
    : [];

const SENT: readonly BatchState[] = ['PAYING', 'SETTLING'];

function courseSteps(
  id: string,
  { state, holds, canceledBy, needsOperator }: BatchStatus,
): OperatorStep[] {
  const isShown = SENT.includes(state) && needsOperator.length === 0;
  const show = isShown ? [step('see which rows are paid', `status ${id}`)] : [];
  if (state === 'SETTLING' || canceledBy !== null) return show;
  return [
    ...show,
    ...(holds.length > 0 ? [] : [step('pause it', `pause ${id} --reason TEXT`)]),
    step('cancel it: nothing more is sent', `cancel ${id} --reason TEXT`),
  ];
}

function stepsAfter(id: string, { rows, error }: BatchResult): OperatorStep[] {
  if (rows.unknown > 0) {
    const to =
      'find out in the service whether the unknown rows were paid, before they are paid again';
    return [step(to, `rows ${id} --outcome UNKNOWN`)];
  }
  const mayResend = rows.failed > 0 && error === null;
  return mayResend ? [step('pay the failed rows again', `resend ${id}`)] : [];
}
