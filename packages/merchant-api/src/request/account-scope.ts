import type { Operation } from '../spec/endpoints.ts';

/** Whether the envelope carries `account`, where the spec shows it. */
const SHOWN_SCOPES = {
  ACCOUNT: true,
  FEE_CALCULATION: false,
  WEBHOOK_CREATE: true,
  WEBHOOK_CHANGE: true,
  WEBHOOK_LIST: true,
} as const;

/**
 * ASSUMED: the spec does not show whether these act on one account. The client sends `account`: a
 * service surely refuses a request without a required field, and only perhaps one with a field more.
 * USER has none, because its answer lists the accounts.
 */
const ASSUMED_SCOPES = {
  MASS_CREATE: true,
  MASS_GET: true,
  LOOKUP: true,
  WEBHOOK_DELETE: true,
  WALLET_LIST: true,
  WALLET_CREATE: true,
  WALLET_RENAME: true,
  TRANSACTION_LIST: true,
  OPCODES: true,
  LOOKUP_ADDRESS: true,
  REPORT: true,
  USER: false,
} as const;

const ACCOUNT_SCOPED: Readonly<Record<Operation, boolean>> = { ...SHOWN_SCOPES, ...ASSUMED_SCOPES };

/** Whether requests of an operation name the account they act on. Spec: "Request envelope". */
export const isAccountScoped = (operation: Operation): boolean => ACCOUNT_SCOPED[operation];
