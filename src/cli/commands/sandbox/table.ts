import type { OperationSection } from '../../command-table/operation-command.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { PAYOUT_OPERATIONS } from './payouts.ts';
import { PLAYING_OPERATIONS } from './playing.ts';
import { RULE_OPERATIONS } from './rules.ts';
import { RUNNING_OPERATIONS } from './running.ts';

/** Every command of `bursar sandbox`, in the order of its help. */
export const SANDBOX_OPERATIONS: readonly OperationSection[] = [
  RUNNING_OPERATIONS,
  PAYOUT_OPERATIONS,
  RULE_OPERATIONS,
  EVENT_OPERATIONS,
  PLAYING_OPERATIONS,
];
