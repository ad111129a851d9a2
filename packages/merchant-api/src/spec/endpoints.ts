/** Operations of the service by the names used in settings (`BURSAR_API_ENDPOINT_<OPERATION>`). */
export const OPERATIONS = [
  'ACCOUNT',
  'MASS_CREATE',
  'MASS_GET',
  'FEE_CALCULATION',
  'LOOKUP',
  'WEBHOOK_CREATE',
  'WEBHOOK_CHANGE',
  'WEBHOOK_LIST',
  'WEBHOOK_DELETE',
  'WALLET_LIST',
  'WALLET_CREATE',
  'WALLET_RENAME',
  'TRANSACTION_LIST',
  'OPCODES',
  'LOOKUP_ADDRESS',
  'REPORT',
  'USER',
] as const;

/** Name of an operation. Spec: "Endpoints". */
export type Operation = (typeof OPERATIONS)[number];

/** A path relative to the base address; the empty string means that the service has no such operation. */
export type Endpoints = Readonly<Record<Operation, string>>;

/** Paths that the spec shows. Every operation is a POST. Spec: "Endpoints". */
export const KNOWN_ENDPOINTS = {
  ACCOUNT: '/api/v1/account',
  MASS_CREATE: '/api/v1/payout/mass/create',
  MASS_GET: '/api/v1/payout/mass',
} as const;

/** ASSUMED: the spec shows neither method nor path of these operations; each can be set to another path. */
export const ASSUMED_ENDPOINTS = {
  FEE_CALCULATION: '/api/v1/fee/calculate',
  LOOKUP: '/api/v1/payout',
  WEBHOOK_CREATE: '/api/v1/webhook/create',
  WEBHOOK_CHANGE: '/api/v1/webhook/change',
  WEBHOOK_LIST: '/api/v1/webhook/list',
  WEBHOOK_DELETE: '/api/v1/webhook/delete',
  WALLET_LIST: '/api/v1/wallet/list',
  WALLET_CREATE: '/api/v1/wallet/create',
  WALLET_RENAME: '/api/v1/wallet/rename',
  TRANSACTION_LIST: '/api/v1/wallet/transactions',
  OPCODES: '/api/v1/wallet/opcodes',
  LOOKUP_ADDRESS: '/api/v1/wallet',
  REPORT: '/api/v1/report',
  USER: '/api/v1/user',
} as const;

/** The default path of each operation. */
export const DEFAULT_ENDPOINTS: Endpoints = { ...KNOWN_ENDPOINTS, ...ASSUMED_ENDPOINTS };
