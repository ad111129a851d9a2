import type { Operation } from '../spec/endpoints.ts';

/** Operations of which the spec shows whether their envelope carries `account`. */
const SHOWN_SCOPES = {
  ACCOUNT: true,
  FEE_CALCULATION: false,
  WEBHOOK_CREATE: true,
  WEBHOOK_CHANGE: true,
  WEBHOOK_LIST: true,
} as const;

/**
 * ASSUMED: the spec does not show whether these act on one account. They send it where they might:
 * a request without a required field is surely refused, one with a field too many only perhaps.
 * USER is asked before any account is known: its answer lists them.
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
