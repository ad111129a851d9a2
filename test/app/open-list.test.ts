import type { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { openList } from '../../src/app/open-list.ts';
import type { OperationContext } from '../../src/operations/context.ts';

const numbers = {
  run: <Used>(
    count: number,
    _context: OperationContext,
    use: (list: { about: null; items: Iterable<number> }) => Promise<Used>,
  ): Promise<Used> => use({ about: null, items: Array.from({ length: count }, (_, n) => n + 1) }),
};

it('a list is read in its order, and no item leaves a listener behind', async () => {
  const { items } = await openList(numbers, 100, {} as unknown as OperationContext);
  const counts: number[] = [];
  let sum = 0;
  for await (const item of items) {
    sum += item;
    counts.push((items as unknown as EventEmitter).listenerCount('close'));
  }
  expect(sum).toBe(5_050);
  expect(Math.max(...counts)).toBeLessThan(10);
});
