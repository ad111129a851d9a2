import { ACCOUNT_OPERATIONS, type Operation, type Shapes } from '@bursar/merchant-api/spec';

/** A request with optional mistakes. A field that is left out has its right value. */
export type ServiceRequest = Readonly<{
  payload?: unknown;
  /** Another path than that of the operation. */
  path?: string;
  /** Undefined: the account of the run, where the operation carries it. Null: no such field. */
  account?: unknown;
  /** Milliseconds since 1970 in any unit of the service, or any other value. Null: no such field. */
  timestamp?: unknown;
  /** Fields besides those of the envelope. */
  extra?: Readonly<Record<string, unknown>>;
  /** The whole body, in place of the fields above. */
  body?: string;
  /** Headers to change. Null leaves one out. */
  headers?: Readonly<Record<string, string | null>>;
  /** The text to sign, if it is not the body. */
  signed?: string;
  /** The secret to sign with, if it is not the right one. */
  secret?: string;
  isSignUpperCase?: boolean;
}>;

/** Whose requests a run sends, and how the service is called. */
export type RequestSender = Readonly<{ account: string; shapes: Shapes }>;

const PAGED: readonly Operation[] = ['WALLET_LIST', 'TRANSACTION_LIST'];

/** Whether requests of an operation carry `account`. */
export const carriesAccount = (operation: Operation, { accountIn }: Shapes): boolean =>
  (typeof accountIn === 'string' ? ACCOUNT_OPERATIONS[accountIn] : accountIn).includes(operation);

/** Returns the account as the service takes it. */
export const accountOf = ({ account, shapes }: RequestSender): string =>
  shapes.accountCase === 'lower' ? account.toLowerCase() : account;

/** Returns the body of a request in the shapes of the service. Fields of `extra` stay as they are. */
export function bodyOf(
  sender: RequestSender,
  operation: Operation,
  request: ServiceRequest,
): string {
  const { shapes } = sender;
  const { payload, timestamp = Date.now(), extra } = request;
  const own = carriesAccount(operation, shapes) ? accountOf(sender) : null;
  const account = request.account === undefined ? own : request.account;
  return JSON.stringify({
    ...(timestamp === null ? {} : { timestamp: timeOf(timestamp, shapes) }),
    ...(account === null ? {} : { account }),
    ...(payload === undefined ? {} : { payload: payloadOf(payload, operation, shapes) }),
    ...extra,
  });
}

const timeOf = (timestamp: unknown, { timestampUnit }: Shapes): unknown =>
  typeof timestamp === 'number' && timestampUnit === 's'
    ? Math.floor(timestamp / 1_000)
    : timestamp;

/** Checks count pages from 1, whatever the service does. */
function payloadOf(payload: unknown, operation: Operation, { pageBase }: Shapes): unknown {
  if (pageBase === 'one' || !PAGED.includes(operation)) return payload;
  const { pageNumber } = payload as Readonly<{ pageNumber?: unknown }>;
  return typeof pageNumber === 'number'
    ? { ...(payload as object), pageNumber: pageNumber - 1 }
    : payload;
}
