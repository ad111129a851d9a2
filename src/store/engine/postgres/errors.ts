import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { maskedUrl } from '../../../domain/text/masked-url.ts';

/** SQLSTATE codes by what they are for a caller. Those of class 08 are of the connection. */
const FULL = ['53100', '53200'];
const BUSY = ['55P03', '57014', '40P01', '40001', '53300'];
const CLOSING = ['57P01', '57P02', '57P03', '57P05', '25P03'];

/** Why a server that answers refuses a connection. Its own sentence has the name of the user. */
const REFUSED = new Map([
  ['28000', 'it refuses the user'],
  ['28P01', 'it refuses the user or the password'],
  ['3D000', 'it has no such database'],
]);

/** Errors of Node.js and of the driver that have no SQLSTATE: the connection is lost, or never came about. */
const LOST =
  /ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|Connection terminated|timeout exceeded|read timeout|not queryable|connection error/i;

type Thrown = Readonly<{ code?: unknown; message?: unknown }>;

/**
 * Whether an error is of the connection. What was sent by it last may have been done or not. A transaction that was not
 * committed is undone by the server.
 */
export function isLost(thrown: unknown): boolean {
  const { code = '', message = '' } = thrown as Thrown;
  const state = String(code);
  return (
    state.startsWith('08') ||
    CLOSING.includes(state) ||
    LOST.test(state) ||
    LOST.test(String(message))
  );
}

/** An error as the catalogue has it. One that is no trouble of the server stays as it is. */
export function typedError(thrown: unknown, storeUrl: string): unknown {
  const url = maskedUrl(storeUrl);
  const code = String((thrown as Thrown).code);
  const options = { cause: thrown };
  if (FULL.includes(code)) return new BursarError('STORE_FULL', { url }, options);
  if (BUSY.includes(code)) return new BursarError('STORE_BUSY', { url }, options);
  const refused = REFUSED.get(code);
  if (refused === undefined && !isLost(thrown)) return thrown;
  const reason = refused ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return new BursarError('STORE_UNREACHABLE', { url, reason }, options);
}
