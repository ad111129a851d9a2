import type { EndState } from '../batch/batch-state.ts';
import type { ErrorIdentity } from './bursar-error.ts';
import { categoryOf } from './catalogue.ts';
import type { ErrorCategory } from './entry.ts';
import { EXIT } from './exit.ts';

export { EXIT };

export type ExitName = keyof typeof EXIT;

/** The meaning of each exit code for the caller. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  done: 'every row was paid, or the command succeeded',
  bug: 'a bug of Bursar',
  usage: 'the command line or the settings are wrong; nothing was done',
  saidNo: 'a person said no',
  auth: 'the service refused the key or the signature, or the clocks differ too much, or a person may not approve',
  notFound: 'there is no such batch, row, mass payout or copy of a file',
  unreachable: 'the service, Temporal or a worker cannot be reached',
  running: 'the batch is still running (--detach, --timeout)',
  partial: 'the batch ended PARTIAL: some rows were paid, others were not or are unknown',
  failed: 'the batch ended FAILED: no row was paid',
  canceled: 'the batch ended CANCELED: a person stopped it before every row was paid',
  rejected: 'the file was rejected; nothing was sent',
  needsOperator:
    'an operator must act: the batch waits for an answer and continues meanwhile, or the result of a call is unknown',
  tampered:
    'verify: a record of a batch or a file of its report was changed, or its approvals are missing; sandbox case replay: an answer differs',
  interrupted: 'the command was interrupted (Ctrl-C); a batch that was started goes on',
};

const NAME_OF_CATEGORY: Readonly<Record<ErrorCategory, ExitName>> = {
  usage: 'usage',
  file: 'rejected',
  'said-no': 'saidNo',
  auth: 'auth',
  'not-found': 'notFound',
  unreachable: 'unreachable',
  operator: 'needsOperator',
  funds: 'failed',
  tampered: 'tampered',
  bug: 'bug',
};

/** The exit code of a command that ends with an error. */
export const exitCodeOfCategory = (category: ErrorCategory): number =>
  EXIT[NAME_OF_CATEGORY[category]];

export const exitCodeOfError = ({ code }: ErrorIdentity): number =>
  exitCodeOfCategory(categoryOf(code));

/** Categories that have more detail about a batch that ended early than its end state. */
const TELLING: Readonly<Record<'FAILED' | 'REJECTED', readonly ErrorCategory[]>> = {
  FAILED: ['auth', 'unreachable', 'bug'],
  REJECTED: ['usage', 'auth', 'not-found', 'unreachable', 'bug'],
};

/** The exit code of a command that waited for a batch to end. `error` is why the batch ended early, when it did. */
export function exitCodeOfEnd(state: EndState, error: ErrorIdentity | null): number {
  switch (state) {
    case 'COMPLETED':
      return EXIT.done;
    case 'PARTIAL':
      return EXIT.partial;
    case 'CANCELED':
      return EXIT.canceled;
    case 'REFUSED':
      return EXIT.saidNo;
    case 'FAILED':
      return tellingExitCode('FAILED', error) ?? EXIT.failed;
    case 'REJECTED':
      return tellingExitCode('REJECTED', error) ?? EXIT.rejected;
  }
}

function tellingExitCode(
  state: keyof typeof TELLING,
  error: ErrorIdentity | null,
): number | undefined {
  if (error === null) return undefined;
  const category = categoryOf(error.code);
  return TELLING[state].includes(category) ? exitCodeOfCategory(category) : undefined;
}
