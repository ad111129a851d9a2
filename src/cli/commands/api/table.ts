import type { OperationSection } from '../../operation-table/operation.ts';
import { ACCOUNT_OPERATIONS } from './account.ts';
import { PAYOUT_OPERATIONS } from './payouts.ts';
import { WALLET_OPERATIONS } from './wallets.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

/** Every command of `bursar api`, in the order of its help. */
export const API_OPERATIONS: readonly OperationSection[] = [
  { heading: 'Account:', operations: ACCOUNT_OPERATIONS },
  { heading: 'Payouts:', operations: PAYOUT_OPERATIONS },
  { heading: 'Wallets:', operations: WALLET_OPERATIONS },
  { heading: 'Webhooks:', operations: WEBHOOK_OPERATIONS },
];
