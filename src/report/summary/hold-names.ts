import type { HoldKind } from '../../domain/holds/hold.ts';
import type { Severity } from '../../domain/plan/finding.ts';

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
