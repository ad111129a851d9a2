import type { z } from 'zod';
import { TIMESTAMP_WINDOW_MS } from '../../spec/limits.ts';
import { Refused } from '../core/refusals.ts';
import type { JsonValue } from './exact-json.ts';

/** What every request carries. Spec: "Request envelope". */
export type Envelope = Readonly<{ timestamp: number; account?: string | undefined }>;

/** Who calls, and when. */
export type Caller = Readonly<{ accounts: readonly string[]; nowMs: number }>;

export type Call<Body extends Envelope> = Readonly<{
  body: Body;
  /** The accounts whose objects this call may see: the one it names, else all of its key. */
  accounts: readonly string[];
  nowMs: number;
}>;

export type OperationDefinition<Body extends Envelope> = Readonly<{
  /** The whole body; a field that it does not name is refused. */
  body: z.ZodType<Body>;
  /** Whether `answer` writes to the store. */
  writes: boolean;
  /** Answers, or throws Refused. */
  answer(call: Call<Body>): JsonValue;
}>;

/** An operation that checks its own body. */
export type ServedOperation = Readonly<{
  writes: boolean;
  answer(body: unknown, caller: Caller): JsonValue;
}>;

/** Puts the checks that all operations share before one of them. */
export function serveOperation<Body extends Envelope>(
  definition: OperationDefinition<Body>,
): ServedOperation {
  return {
    writes: definition.writes,
    answer(unchecked, { accounts, nowMs }) {
      const body = checkFields(definition.body, unchecked);
      checkTimestamp(body.timestamp, nowMs);
      const scope = scopeOf(body.account, accounts);
      return definition.answer({ body, accounts: scope, nowMs });
    },
  };
}

/**
 * Issues named in one answer; a request of many wrong rows would otherwise be answered by a book.
 */
const ISSUES_MAX = 5;

export function checkFields<Body>(schema: z.ZodType<Body>, unchecked: unknown): Body {
  const checked = schema.safeParse(unchecked);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const isUnknown = issues.some(({ code }) => code === 'unrecognized_keys');
  const detail = issues
    .slice(0, ISSUES_MAX)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
    .join('; ');
  throw new Refused(isUnknown ? 'FIELD_UNKNOWN' : 'FIELD_INVALID', detail.slice(0, 500));
}

function checkTimestamp(timestampMs: number, nowMs: number): void {
  if (Math.abs(nowMs - timestampMs) > TIMESTAMP_WINDOW_MS) {
    throw new Refused('TIMESTAMP_OUT_OF_WINDOW');
  }
}

function scopeOf(account: string | undefined, accounts: readonly string[]): readonly string[] {
  if (account === undefined) return accounts;
  if (!accounts.includes(account)) throw new Refused('ACCOUNT_FORBIDDEN');
  return [account];
}
