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

/**
 * Where each operation is: a path relative to the base address, perhaps after a method and a space, such as
 * `PUT /api/v1/user`. Without a method it is POST. The empty string: the service has no such operation.
 */
export type Endpoints = Readonly<Record<Operation, string>>;

/** Paths that the spec shows, each a POST. Spec: "Endpoints". */
export const KNOWN_ENDPOINTS = {
  ACCOUNT: '/api/v1/account',
  MASS_CREATE: '/api/v1/payout/mass/create',
  MASS_GET: '/api/v1/payout/mass',
} as const;

/** ASSUMED: the spec shows neither method nor path of these operations; each can be set to another. */
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

/**
 * Methods that an operation can have, the default first. GET is none of them: every request has a signed body, and
 * `fetch` and proxies refuse or drop the body of a GET.
 */
export const ENDPOINT_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The method and the path of one operation. */
export type MethodAndPath = {
  /** Method of the requests. */
  readonly method: (typeof ENDPOINT_METHODS)[number];
  /** Path relative to the base address. It begins with a slash. */
  readonly path: string;
};

/**
 * Reads one endpoint: `/path`, or `PUT /path`. Undefined for the empty text and for one that names no endpoint, such as
 * `GET /path`.
 */
export function readEndpoint(text: string): MethodAndPath | undefined {
  const [first = '', second, ...rest] = text.split(' ');
  const path = second ?? first;
  const method = second === undefined ? 'POST' : ENDPOINT_METHODS.find((each) => each === first);
  const isPath = /^\/[\x21-\x7e]*$/.test(path);
  return method !== undefined && isPath && rest.length === 0 ? { method, path } : undefined;
}
