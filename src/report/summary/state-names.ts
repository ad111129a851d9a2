import type { EndState } from '../../domain/batch/batch-state.ts';
import type { HoldKind } from '../../domain/holds/hold.ts';
import type { Severity } from '../../domain/plan/finding.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';

/** The end states of a batch in plain words. Codes stay in report.json and the CSV files. */
export const END_STATE_NAMES: Readonly<Record<EndState, string>> = {
  REJECTED: 'Rejected',
  REFUSED: 'Refused',
  COMPLETED: 'Completed',
  PARTIAL: 'Partly paid',
  FAILED: 'Failed',
  CANCELED: 'Canceled',
};

/** The outcomes of a row in plain words. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  PAID: 'paid',
  FAILED: 'failed',
  NOT_SENT: 'not sent',
  UNKNOWN: 'unknown',
  IN_FLIGHT: 'in flight',
};

/** The kinds of holds in plain words. */
export const HOLD_NAMES: Readonly<Record<HoldKind, string>> = {
  PAUSE: 'Paused by a person',
  APPROVAL: 'Approval missing',
  CANARY: 'First rows not all paid',
  STOP_LOSS: 'Too many failed rows',
  FEE_DRIFT: 'Fees changed',
  FEE_CAP: 'Fees too high',
  DAY_LIMIT: 'Daily limit reached',
  BALANCE: 'Balance differs',
};

/** The severities of findings in plain words. */
export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  block: 'Blocks the batch',
  confirm: 'Needs a confirmation',
  info: 'For information',
};
