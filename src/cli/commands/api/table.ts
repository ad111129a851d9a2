import type { OperationSection } from '../../command-table/operation-command.ts';
import { ACCOUNT_OPERATIONS } from './account.ts';
import { PAYOUT_OPERATIONS } from './payouts.ts';
import { WALLET_OPERATIONS } from './wallets.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

/** Every command of `bursar api`, in the order of its help. */
export const API_OPERATIONS: readonly OperationSection[] = [
  ACCOUNT_OPERATIONS,
  PAYOUT_OPERATIONS,
  WALLET_OPERATIONS,
  WEBHOOK_OPERATIONS,
];
