import { expect, it } from '@jest/globals';
import { inParallel } from '../../../src/activities/shared/in-parallel.ts';

it('works through all items with no more than so many under way', async () => {
  const done: number[] = [];
  let underWay = 0;
  let most = 0;
  await inParallel(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
    done.push(item);
  });
  expect(new Set(done)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
  expect(done).toHaveLength(7);
  expect(most).toBe(3);
});

it('begins nothing new after a failure, lets the rest end, and then throws it', async () => {
  const ended: number[] = [];
  const work = inParallel(2, [1, 2, 3, 4, 5], async (item) => {
    if (item === 1) throw new Error('the first');
    await Promise.resolve();
    await Promise.resolve();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('the first');
  expect(ended).toEqual([2]);
});

it('returns at once for no items', async () => {
  await expect(
    inParallel(4, [], () => Promise.reject(new Error('not expected'))),
  ).resolves.toBeUndefined();
});
