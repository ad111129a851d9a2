import type { z } from 'zod';
import type { Operation } from '@bursar/merchant-api/spec';
import { type Modes, timestampUnitMs } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { accountWriter, takeAccount, withAccountAsIssued } from './account-field.ts';
import { formatAnswer } from './answer-format.ts';
import type { ExactJsonValue } from './exact-json.ts';

/** The common fields of every request. Spec: "Request envelope". */
export type Envelope = Readonly<{ timestamp: number; account?: string | undefined }>;

/** The operation, the key's accounts, the clocks and the modes of a request. */
export type Caller = Readonly<{
  operation: Operation;
  accounts: readonly string[];
  nowMs: number;
  /** The time with which the request's timestamp is compared. */
  timestampAtMs: number;
  modes: Modes;
  bodySha256: string;
}>;

export type Call<Body extends Envelope> = Readonly<{
  body: Body;
  /** The accounts of this call: the one that it names, or all accounts of its key. */
  accounts: readonly string[];
  nowMs: number;
  modes: Modes;
  /** The SHA-256 of the bytes of the body. */
  bodySha256: string;
}>;

export type ServedOperationDefinition<Body extends Envelope> = Readonly<{
  /** The schema of the whole body, which may depend on the modes. Unknown fields are refused. */
  body: z.ZodType<Body> | ((modes: Modes) => z.ZodType<Body>);
  /** Whether `answer` writes to the store. */
  writes: boolean;
  /** Returns the answer. Throws Refused. */
  answer(call: Call<Body>): ExactJsonValue;
  /** Called in a transaction when a fault answers the request with 500. */
  onInternalError?(call: Call<Body>): void;
}>;

/** An operation that checks its own body. */
export type ServedOperation = Readonly<{
  writes: boolean;
  answer(body: unknown, caller: Caller): ExactJsonValue;
  onInternalError(body: unknown, caller: Caller): void;
}>;

/** Adds the common checks of all operations to one. */
export function serveOperation<Body extends Envelope>(
  definition: ServedOperationDefinition<Body>,
): ServedOperation {
  const check = (unchecked: unknown, caller: Caller): Call<Body> => {
    const { modes, nowMs, bodySha256 } = caller;
    const schema = typeof definition.body === 'function' ? definition.body(modes) : definition.body;
    const taken = takeAccount(withAccountAsIssued(unchecked, caller), caller);
    const body = checkFields(schema, taken.body);
    checkTimestamp(body.timestamp, caller);
    const accounts = scopeOf(taken.account ?? body.account, caller.accounts);
    return { body, accounts, nowMs, modes, bodySha256 };
  };
  return {
    writes: definition.writes,
    answer(unchecked, caller) {
      const value = definition.answer(check(unchecked, caller));
      const { numbers, extraFields } = caller.modes;
      const writeAccount = accountWriter(unchecked, caller.modes);
      return formatAnswer(wrapped(value, caller), { numbers, extraFields, writeAccount });
    },
    onInternalError(unchecked, caller) {
      definition.onInternalError?.(check(unchecked, caller));
    },
  };
}

/**
 * The most mistakes in one answer. A request of many wrong rows would otherwise get a very long
 * one.
 */
const ISSUES_MAX = 5;

export function checkFields<Body>(schema: z.ZodType<Body>, unchecked: unknown): Body {
  const checked = parse(schema, unchecked);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const isUnknown = issues.some(({ code }) => code === 'unrecognized_keys');
  const detail = issues
    .slice(0, ISSUES_MAX)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
    .join('; ');
  throw new Refused(isUnknown ? 'FIELD_UNKNOWN' : 'FIELD_INVALID', detail.slice(0, 500));
}

/**
 * A schema can throw: zod reads a length before it checks the type, and that length may not be a
 * number.
 */
function parse<Body>(schema: z.ZodType<Body>, unchecked: unknown) {
  try {
    return schema.safeParse(unchecked);
  } catch {
    throw new Refused('FIELD_INVALID', 'body: a length is not a number');
  }
}

/** Compares in the unit of the timestamp. */
function checkTimestamp(timestamp: number, { timestampAtMs, modes }: Caller): void {
  const unitMs = timestampUnitMs(modes);
  const now = Math.floor(timestampAtMs / unitMs);
  if (Math.abs(now - timestamp) > modes.timestampWindowMs / unitMs) {
    const shown = new Date(timestampAtMs).toISOString();
    throw new Refused('TIMESTAMP_OUT_OF_WINDOW', `The clock of the service shows ${shown}.`);
  }
}

/** Operations whose answer the specification does not show. The report has `data` in every mode. */
const NOT_SHOWN: readonly Operation[] = [
  'LOOKUP',
  'WEBHOOK_CREATE',
  'WEBHOOK_CHANGE',
  'WEBHOOK_DELETE',
  'WALLET_RENAME',
  'LOOKUP_ADDRESS',
];

const wrapped = (value: ExactJsonValue, { operation, modes }: Caller): ExactJsonValue =>
  modes.answerWrapper === 'data' && NOT_SHOWN.includes(operation) ? { data: value } : value;

function scopeOf(account: string | undefined, accounts: readonly string[]): readonly string[] {
  if (account === undefined) return accounts;
  if (!accounts.includes(account)) throw new Refused('ACCOUNT_FORBIDDEN');
  return [account];
}
