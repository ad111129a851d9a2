import type { Operation } from '../spec/endpoints.ts';

/** What an open point costs, where it is no operation. */
export const OPEN_COSTS = {
  massGetAccepts: 'No end of a mass payout can be read, so nothing should be paid.',
  lookupByKey: 'Until a read by key has found a mass payout, a create in doubt needs a person.',
  lookupByKeyAbsent: 'No lookup by key: a create in doubt needs a person.',
  accountIn: 'Requests carry the account as the settings have it, and may be refused.',
  pageBase: 'A wrong first page misses wallets and transactions. Nothing is paid twice.',
} as const;

/** What an operation costs that was not found. */
export const OPERATION_COSTS: Readonly<Record<Operation, string>> = {
  ACCOUNT: 'Nothing can be paid.',
  MASS_CREATE: 'A probe creates nothing: the first create shows its path and its fields.',
  MASS_GET: 'States are read by LOOKUP alone.',
  LOOKUP: 'Mass payouts are read by MASS_GET alone.',
  FEE_CALCULATION: 'Plans show no fees of the service.',
  WALLET_LIST: 'Payments to own wallets are not found.',
  TRANSACTION_LIST: 'No batch can be held against the transactions of the wallet.',
  WEBHOOK_LIST: 'Subscriptions are not checked. Polling finds each state.',
  WEBHOOK_CREATE: 'Subscriptions are made by hand.',
  WEBHOOK_CHANGE: 'Subscriptions are changed by hand.',
  WEBHOOK_DELETE: 'Subscriptions are deleted by hand.',
  WALLET_CREATE: 'Wallets are made by hand.',
  WALLET_RENAME: 'Wallets are renamed by hand.',
  LOOKUP_ADDRESS: 'Nothing: no batch needs it.',
  REPORT: 'Nothing: no batch needs it.',
  USER: 'Nothing: no batch needs it.',
  OPCODES: 'Nothing: no batch needs it.',
};
