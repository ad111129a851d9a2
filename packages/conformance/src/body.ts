import { ACCOUNT_OPERATIONS, type Operation, type Shapes } from '@bursar/merchant-api/spec';
import type { ServiceRequest } from './service.ts';

/** Who calls the service, and how. */
export type Caller = Readonly<{ account: string; shapes: Shapes }>;

const PAGED: readonly Operation[] = ['WALLET_LIST', 'TRANSACTION_LIST'];

/** Whether requests of an operation carry `account`. */
export const carriesAccount = (operation: Operation, { accountIn }: Shapes): boolean =>
  (typeof accountIn === 'string' ? ACCOUNT_OPERATIONS[accountIn] : accountIn).includes(operation);

/** Returns the account as the service takes it. */
export const accountOf = ({ account, shapes }: Caller): string =>
  shapes.accountCase === 'lower' ? account.toLowerCase() : account;

/** Returns the body of a request in the shapes of the service. Fields of `extra` stay as they are. */
export function bodyOf(caller: Caller, operation: Operation, request: ServiceRequest): string {
  const { shapes } = caller;
  const { payload, timestamp = Date.now(), extra } = request;
  const own = carriesAccount(operation, shapes) ? accountOf(caller) : null;
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
