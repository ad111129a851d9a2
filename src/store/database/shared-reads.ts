import { setImmediate } from 'node:timers/promises';

/** Names a chunk of a batch. */
type ChunkKey = Readonly<{ batchId: string; chunk: number }>;

/** Reads values of chunks of one batch, in the order of `keys`; undefined for a chunk that the batch does not have. */
type ReadAll<Key, Value> = (
  batchId: string,
  keys: readonly Key[],
) => Promise<readonly (Value | undefined)[]>;

/**
 * Reads a value of one chunk. Reads of one batch that begin in the same turn of the event loop share their statements. Every
 * value is read after its call. Throws when the batch does not have the chunk.
 */
export function createSharedReads<Key extends ChunkKey, Value>(
  readAll: ReadAll<Key, Value>,
): (key: Key) => Promise<Value> {
  type Read = Readonly<{ keys: Key[]; values: ReturnType<ReadAll<Key, Value>> }>;
  const open = new Map<string, Read>();

  const begin = (batchId: string): Read => {
    const keys: Key[] = [];
    const values = setImmediate().then(() => {
      open.delete(batchId);
      return readAll(batchId, keys);
    });
    const read = { keys, values };
    open.set(batchId, read);
    return read;
  };

  return async (key) => {
    const { batchId, chunk } = key;
    const { keys, values } = open.get(batchId) ?? begin(batchId);
    const place = keys.push(key) - 1;
    const value = (await values)[place];
    if (value === undefined) throw new Error(`batch ${batchId} has no chunk ${chunk}`);
    return value;
  };
}
