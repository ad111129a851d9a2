import { expect, it } from '@jest/globals';
import { BATCH_ID_LENGTH_MAX, isBatchId } from '../../../src/domain/batch/batch-id.ts';
import { batchPriority, partitionPriority } from '../../../src/domain/batch/task-priority.ts';

it('the fairness key of a batch is its id, which Temporal takes whole', () => {
  const longest = 'b'.repeat(BATCH_ID_LENGTH_MAX);
  expect(isBatchId(longest)).toBe(true);
  expect(Buffer.byteLength(batchPriority(longest).fairnessKey ?? '')).toBeLessThanOrEqual(64);
});

it.each([
  [1, 2],
  [20, 2],
  [21, 3],
  [500, 3],
])('a partition of %d chunks has the priority %d', (chunkCount, priorityKey) => {
  expect(partitionPriority({ batchId: 'b', chunkCount })).toEqual({
    fairnessKey: 'b',
    priorityKey,
  });
});
