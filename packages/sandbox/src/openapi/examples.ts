import type { Operation } from '@bursar/merchant-api/spec';
import * as accounts from './examples/accounts.ts';
import type { Example } from './examples/facts.ts';
import * as payouts from './examples/payouts.ts';
import * as wallets from './examples/wallets.ts';
import * as webhooks from './examples/webhooks.ts';

/** Examples by name. A new sandbox that gets these requests in this order returns these answers. */
export const EXAMPLES: Readonly<Record<Operation, Readonly<Record<string, Example>>>> = {
  ACCOUNT: accounts.ACCOUNT_EXAMPLES,
  USER: accounts.USER_EXAMPLES,
  FEE_CALCULATION: accounts.FEE_CALCULATION_EXAMPLES,
  MASS_CREATE: payouts.MASS_CREATE_EXAMPLES,
  MASS_GET: payouts.MASS_GET_EXAMPLES,
  LOOKUP: payouts.LOOKUP_EXAMPLES,
  WALLET_LIST: wallets.WALLET_LIST_EXAMPLES,
  WALLET_CREATE: wallets.WALLET_CREATE_EXAMPLES,
  WALLET_RENAME: wallets.WALLET_RENAME_EXAMPLES,
  LOOKUP_ADDRESS: wallets.LOOKUP_ADDRESS_EXAMPLES,
  TRANSACTION_LIST: wallets.TRANSACTION_LIST_EXAMPLES,
  OPCODES: wallets.OPCODES_EXAMPLES,
  REPORT: wallets.REPORT_EXAMPLES,
  WEBHOOK_CREATE: webhooks.WEBHOOK_CREATE_EXAMPLES,
  WEBHOOK_LIST: webhooks.WEBHOOK_LIST_EXAMPLES,
  WEBHOOK_CHANGE: webhooks.WEBHOOK_CHANGE_EXAMPLES,
  WEBHOOK_DELETE: webhooks.WEBHOOK_DELETE_EXAMPLES,
};
