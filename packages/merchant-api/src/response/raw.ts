import { readWholeJson } from '../json/read-json.ts';
import { type OpenValue, readOpenValue } from '../records/open-value.ts';

/** Adds the whole answer to an object as `raw`, which is parsed when it is first read, and is not enumerable. */
export function withRaw<T extends object>(
  answer: T,
  body: Uint8Array | undefined,
): T & Readonly<{ raw?: OpenValue }> {
  let raw: OpenValue | undefined;
  const get = (): OpenValue => {
    raw ??= body === undefined || body.length === 0 ? null : readOpenValue(readWholeJson(body));
    return raw;
  };
  return Object.defineProperty(answer, 'raw', { get, enumerable: false });
}
