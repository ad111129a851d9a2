import type { z } from 'zod';
import { accountOfUuid, isAccountUuid } from '../core/account-ids.ts';
import type { Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { formatAnswer } from './answer-format.ts';
import type { ExactJsonValue } from './exact-json.ts';

/** The common fields of every request. Spec: "Request envelope". */
export type Envelope = Readonly<{ timestamp: number; account?: string | undefined }>;

/** The key's accounts, the clocks and the modes of a request. */
export type Caller = Readonly<{
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
    const body = checkFields(schema, withAccountInHex(unchecked, caller));
    checkTimestamp(body.timestamp, caller);
    return { body, accounts: scopeOf(body.account, caller.accounts), nowMs, modes, bodySha256 };
  };
  return {
    writes: definition.writes,
    answer(unchecked, caller) {
      const value = definition.answer(check(unchecked, caller));
      const { numbers, extraFields } = caller.modes;
      const namesAccountsByUuid = answersUuids(unchecked, caller.modes);
      return formatAnswer(value, { numbers, extraFields, namesAccountsByUuid });
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

function checkTimestamp(timestampMs: number, { timestampAtMs, modes }: Caller): void {
  if (Math.abs(timestampAtMs - timestampMs) > modes.timestampWindowMs) {
    const shown = new Date(timestampAtMs).toISOString();
    throw new Refused('TIMESTAMP_OUT_OF_WINDOW', `The clock of the service shows ${shown}.`);
  }
}

function scopeOf(account: string | undefined, accounts: readonly string[]): readonly string[] {
  if (account === undefined) return accounts;
  if (!accounts.includes(account)) throw new Refused('ACCOUNT_FORBIDDEN');
  return [account];
}

/** Inside the sandbox an account has its hexadecimal id in every mode. */
function withAccountInHex(unchecked: unknown, { accounts, modes }: Caller): unknown {
  const named = accountIn(unchecked);
  if (named === null || modes.accountId === 'hex') return unchecked;
  if (!isAccountUuid(named)) {
    if (modes.accountId === 'either') return unchecked;
    throw new Refused('FIELD_INVALID', 'account: must be a UUID');
  }
  const account = accountOfUuid(named, accounts);
  if (account === null) throw new Refused('ACCOUNT_FORBIDDEN');
  return { ...(unchecked as object), account };
}

/** With the mode `either` an answer names accounts in the form of its request. */
function answersUuids(unchecked: unknown, { accountId }: Modes): boolean {
  if (accountId !== 'either') return accountId === 'uuid';
  const named = accountIn(unchecked);
  return named !== null && isAccountUuid(named);
}

function accountIn(unchecked: unknown): string | null {
  if (typeof unchecked !== 'object' || unchecked === null) return null;
  if (!Object.hasOwn(unchecked, 'account')) return null;
  const { account } = unchecked as { account: unknown };
  return typeof account === 'string' ? account : null;
}
