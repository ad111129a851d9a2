import type { z } from 'zod';
import { accountOfUuid, isAccountUuid } from '../core/account-ids.ts';
import type { Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { formatAnswer } from './answer-format.ts';
import type { ExactJsonValue } from './exact-json.ts';

/** What every request carries. Spec: "Request envelope". */
export type Envelope = Readonly<{ timestamp: number; account?: string | undefined }>;

/** Who calls, when and how. */
export type Caller = Readonly<{
  accounts: readonly string[];
  nowMs: number;
  /** The time that the timestamp of the request is compared with. */
  timestampAtMs: number;
  modes: Modes;
  bodySha256: string;
}>;

export type Call<Body extends Envelope> = Readonly<{
  body: Body;
  /** The accounts whose objects this call may see: the one it names, else all of its key. */
  accounts: readonly string[];
  nowMs: number;
  modes: Modes;
  /** SHA-256 of the bytes of the body. */
  bodySha256: string;
}>;

export type ServedOperationDefinition<Body extends Envelope> = Readonly<{
  /** The whole body, perhaps by the modes; a field that it does not name is refused. */
  body: z.ZodType<Body> | ((modes: Modes) => z.ZodType<Body>);
  /** Whether `answer` writes to the store. */
  writes: boolean;
  /** Answers, or throws Refused. */
  answer(call: Call<Body>): ExactJsonValue;
  /** Told of a request that a fault answers with 500; runs in a transaction. */
  onInternalError?(call: Call<Body>): void;
}>;

/** An operation that checks its own body. */
export type ServedOperation = Readonly<{
  writes: boolean;
  answer(body: unknown, caller: Caller): ExactJsonValue;
  onInternalError(body: unknown, caller: Caller): void;
}>;

/** Puts the checks that all operations share before one of them. */
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
 * Issues named in one answer; a request of many wrong rows would otherwise be answered by a book.
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

/** A schema can throw: zod measures what has a length before it asks for its type, and a length may be no number. */
function parse<Body>(schema: z.ZodType<Body>, unchecked: unknown) {
  try {
    return schema.safeParse(unchecked);
  } catch {
    throw new Refused('FIELD_INVALID', 'body: a length in it is no number');
  }
}

function checkTimestamp(timestampMs: number, { timestampAtMs, modes }: Caller): void {
  if (Math.abs(timestampAtMs - timestampMs) > modes.timestampWindowMs) {
    throw new Refused('TIMESTAMP_OUT_OF_WINDOW');
  }
}

function scopeOf(account: string | undefined, accounts: readonly string[]): readonly string[] {
  if (account === undefined) return accounts;
  if (!accounts.includes(account)) throw new Refused('ACCOUNT_FORBIDDEN');
  return [account];
}

/** Inside the sandbox an account is known by its hexadecimal id, whatever the mode. */
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

/** An answer names accounts as its request did; without one, as the mode says. */
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
