import { describe, expect, it } from '@jest/globals';
import { sharesOf } from '../../../src/domain/batch/partitions.ts';

describe('the chunks in flight of partitions that send side by side', () => {
  it.each([
    [1, [1]],
    [16, [16]],
    [17, [9, 8]],
    [40, [14, 13, 13]],
    [64, [16, 16, 16, 16]],
  ])('%d are shared as %j', (chunksInFlight, shares) => {
    expect(sharesOf(chunksInFlight)).toEqual(shares);
  });

  it('are together those of the batch, and each has one at least', () => {
    for (let chunksInFlight = 1; chunksInFlight <= 256; chunksInFlight += 1) {
      const shares = sharesOf(chunksInFlight);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(chunksInFlight);
      expect(Math.min(...shares)).toBeGreaterThan(0);
      expect(Math.max(...shares)).toBeLessThanOrEqual(16);
    }
  });
});
