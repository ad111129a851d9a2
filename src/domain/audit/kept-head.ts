import { isObject } from '../json/is-object.ts';
import { canonicalJson, type ChainHead } from './chain.ts';

/** The end of the store chain, as it is kept in a second place. It stands for all batches up to their heads before it. */
export type KeptHead = Readonly<{ storeId: string }> & ChainHead;

/** The shortest time between two writes to the second place, in milliseconds. */
const PUSH_EVERY_MS = 60_000;

const SCHEMA = 'bursar.audit-head/v1';

/** The text of a head in the second place. One head has one text, so two workers that push it keep it once. */
export const keptHeadText = ({ storeId, seq, hash }: KeptHead): string =>
  `${canonicalJson({ schema: SCHEMA, storeId, entries: seq, hash })}\n`;

/** Reads the text of a head; undefined when it is none. */
export function readKeptHead(text: string): KeptHead | undefined {
  const value = parsed(text);
  if (!isObject(value)) return undefined;
  const { schema, storeId, entries, hash } = value;
  if (schema !== SCHEMA || typeof storeId !== 'string' || typeof hash !== 'string')
    return undefined;
  const isNumber = Number.isSafeInteger(entries) && /^[0-9a-f]{64}$/.test(hash);
  return isNumber ? { storeId, seq: entries as number, hash } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The last push: which head, to which place, and when. */
export type LastPush = Readonly<{ head: string; place: string; atMs: number }>;

/** The name of a head, as `audit` and `verify` print it. */
export const headName = ({ seq, hash }: ChainHead): string => `${seq}:${hash}`;

/** Whether a head must be pushed now. A clock that was set back delays no push. */
export function isPushDue(
  { head, place, atMs }: LastPush,
  last: LastPush | undefined,
): 'due' | 'unchanged' | 'too-soon' {
  if (last === undefined || last.place !== place) return 'due';
  if (last.head === head) return 'unchanged';
  const sinceMs = atMs - last.atMs;
  return sinceMs >= 0 && sinceMs < PUSH_EVERY_MS ? 'too-soon' : 'due';
}
