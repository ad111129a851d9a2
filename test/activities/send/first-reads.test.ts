import { expect, it } from '@jest/globals';
import { createFirstReads } from '../../../src/activities/send/first-reads.ts';
import type { Sending } from '../../../src/activities/send/types.ts';
import { asActivity } from '../support/as-activity.ts';

/** Reads the mass payouts of chunks one after another. Returns those that were read, and those at their end. */
async function readAll(chunks: readonly number[], isAtEnd: (chunk: number) => boolean) {
  const reads: number[] = [];
  const firstReads = createFirstReads({
    read: async (_batch, chunk) => {
      reads.push(chunk);
      return isAtEnd(chunk);
    },
    holdAfter: () => Promise.resolve(undefined),
  });
  await asActivity().run(async () => {
    for (const chunk of chunks) await firstReads.read(sendingOf(chunk));
  });
  return { reads, settled: firstReads.settled };
}

const sendingOf = (chunk: number) => ({ batch: { batchId: 'b' }, ref: { chunk } }) as Sending;

it('all are read where the first one is at its end', async () => {
  const { reads, settled } = await readAll([0, 1, 2], () => true);
  expect([reads, settled]).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
});

it('none is read after one that is not at its end', async () => {
  const { reads, settled } = await readAll([0, 1, 2, 3], (chunk) => chunk < 2);
  expect([reads, settled]).toEqual([
    [0, 1, 2],
    [0, 1],
  ]);
});

it('none is read after one that could not be read, and nothing is thrown', async () => {
  const { reads, settled } = await readAll([0, 1], () => {
    throw new Error('the store is locked');
  });
  expect([reads, settled]).toEqual([[0], []]);
});

it('no other is read while the first one is not answered', async () => {
  let answer = (_isAtEnd: boolean): void => {};
  const reads: number[] = [];
  const firstReads = createFirstReads({
    read: (_batch, chunk) => {
      reads.push(chunk);
      return new Promise((resolve) => void (answer = resolve));
    },
    holdAfter: () => Promise.resolve(undefined),
  });
  const first = firstReads.read(sendingOf(0));
  await firstReads.read(sendingOf(1));
  answer(true);
  await first;
  expect([reads, firstReads.settled]).toEqual([[0], [0]]);
});

it('none is read after one that is not at its end, though another that is at its end is answered later', async () => {
  const answers: ((isAtEnd: boolean) => void)[] = [];
  const firstReads = createFirstReads({
    read: () => new Promise((resolve) => void answers.push(resolve)),
    holdAfter: () => Promise.resolve(undefined),
  });
  const first = firstReads.read(sendingOf(0));
  answers[0]?.(true);
  await first;
  const sideBySide = [firstReads.read(sendingOf(1)), firstReads.read(sendingOf(2))];
  answers[2]?.(false);
  await sideBySide[1];
  answers[1]?.(true);
  await sideBySide[0];
  await firstReads.read(sendingOf(3));
  expect([answers.length, firstReads.settled]).toEqual([3, [0, 1]]);
});
