import { expect, it } from '@jest/globals';
import { createSharedReads } from '../../../src/store/database/shared-reads.ts';

const at = (chunk: number, batchId = 'b') => ({ batchId, chunk });

/** Reads ten times the number of a chunk; there is none from 5 on. */
function tenfold() {
  const reads: (readonly [string, readonly number[]])[] = [];
  const read = createSharedReads(
    async (batchId: string, keys: readonly ReturnType<typeof at>[]) => {
      reads.push([batchId, keys.map(({ chunk }) => chunk)]);
      await new Promise(setImmediate);
      return keys.map(({ chunk }) => (chunk < 5 ? chunk * 10 : undefined));
    },
  );
  return { read, reads };
}

it('chunks of one batch that are wanted in one moment are read together', async () => {
  const { read, reads } = tenfold();
  expect(await Promise.all([read(at(2)), read(at(1)), read(at(2)), read(at(3, 'c'))])).toEqual([
    20, 10, 20, 30,
  ]);
  expect(reads).toEqual([
    ['b', [2, 1, 2]],
    ['c', [3]],
  ]);
});

it('a chunk that is wanted while others are read is read after them', async () => {
  const { read, reads } = tenfold();
  const first = read(at(1));
  while (reads.length === 0) await new Promise(setImmediate);
  expect(await Promise.all([first, read(at(1))])).toEqual([10, 10]);
  expect(reads).toHaveLength(2);
});

it('a chunk that the batch does not have fails alone', async () => {
  const { read } = tenfold();
  const [one, none] = await Promise.allSettled([read(at(1)), read(at(7))]);
  expect(one).toEqual({ status: 'fulfilled', value: 10 });
  expect(none).toMatchObject({ reason: new Error('batch b has no chunk 7') });
});

it('a read that fails fails for all that share it, and the next one is read anew', async () => {
  let isLocked = true;
  const read = createSharedReads((_batch: string, keys: readonly ReturnType<typeof at>[]) =>
    isLocked ? Promise.reject(new Error('locked')) : Promise.resolve(keys.map(() => 1)),
  );
  const both = await Promise.allSettled([read(at(1)), read(at(2))]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isLocked = false;
  expect(await read(at(1))).toBe(1);
});
