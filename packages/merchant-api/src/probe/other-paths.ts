import type { Operation } from '../spec/endpoints.ts';

/**
 * Paths that a probe tries for an operation that is not served at its own, the likelier first.
 *
 * ASSUMED: the spec shows no path of them. Each ends in a word of a read, so that no path of a create is called. Spec:
 * "Operations with a known payload shape"; "Versioning" 1 for the prefix.
 */
export const OTHER_PATHS = {
  LOOKUP: ['/api/v1/payout/get', '/api/v1/payout/find', '/api/v1/payout/lookup', '/api/v1/lookup'],
  FEE_CALCULATION: ['/api/v1/fee/calculation', '/api/v1/fees/calculate', '/api/v1/calculate'],
  TRANSACTION_LIST: ['/api/v1/wallet/transaction/list', '/api/v1/transaction/list'],
  WALLET_LIST: ['/api/v1/wallets/list', '/api/v1/settlement/wallet/list'],
  WEBHOOK_LIST: ['/api/v1/webhooks/list', '/api/v1/subscription/list'],
  USER: ['/api/v1/user/info', '/api/v1/user/get'],
  OPCODES: ['/api/v1/opcodes', '/api/v1/wallet/opcodes/list'],
} as const satisfies Partial<Record<Operation, readonly string[]>>;
