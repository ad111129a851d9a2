import type { Operation } from '../spec/endpoints.ts';
import { isAccountId } from '../spec/limits.ts';
import { ACCOUNT_OPERATIONS, type Shapes } from '../spec/shapes.ts';
import type { ClientSettings } from '../options.ts';
import { type BodyParts, type PreparedBody, prepareBody } from './body.ts';
import { invalidInput } from './check-input.ts';

/** The parts of a request, and whether the members of its payload stand beside the timestamp. */
export type EnvelopeParts = BodyParts & { readonly isFlat?: boolean };

type EnvelopeSettings = Readonly<{ account: string | undefined; shapes: Shapes }>;

/** Returns the body of a request in the shapes of a client. Throws `invalid-input`. */
export function buildBody(
  settings: EnvelopeSettings,
  operation: Operation,
  parts: EnvelopeParts,
): PreparedBody {
  const { timestampUnit } = settings.shapes;
  const account = accountOf(settings, operation, parts.account);
  const timestampMs = checkTimestamp(operation, parts.timestampMs);
  const { payloadText, isFlat = false } = parts;
  return prepareBody({ timestampMs, account, payloadText }, { timestampUnit, isFlat });
}

/** Returns a prepared body whose account and timestamp can be sent. Throws `invalid-input`. */
export function checkBody(
  settings: ClientSettings,
  operation: Operation,
  body: PreparedBody,
): PreparedBody {
  accountOf(settings, operation, body.account);
  checkTimestamp(operation, body.timestampMs);
  return body;
}

function accountOf(
  settings: EnvelopeSettings,
  operation: Operation,
  named: string | undefined,
): string | undefined {
  if (!carriesAccount(settings.shapes, operation)) return undefined;
  const account: unknown = named ?? settings.account;
  if (typeof account !== 'string' || !isAccountId(account)) {
    throw invalidInput(operation, 'account is missing or is no account id');
  }
  return settings.shapes.accountCase === 'lower' ? account.toLowerCase() : account;
}

/** Whether requests of an operation name the account that they act on. Spec: "Request envelope". */
const carriesAccount = ({ accountIn }: Shapes, operation: Operation): boolean =>
  (typeof accountIn === 'string' ? ACCOUNT_OPERATIONS[accountIn] : accountIn).includes(operation);

function checkTimestamp(operation: Operation, timestampMs: number): number {
  if (Number.isSafeInteger(timestampMs) && timestampMs >= 0) return timestampMs;
  throw invalidInput(operation, 'timestampMs is no Unix time in milliseconds');
}
