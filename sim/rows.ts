import { taggedComment } from '../src/domain/rows/row-tag.ts';
import type { SentRow } from '../src/domain/settling/withdrawals.ts';
import { BATCH_CODE } from './engine/settle.ts';
import type { World } from './world.ts';

/** The rows of the file; without tags, some look alike. */
export function rowsOf({ random, setting }: World): SentRow[] {
  const count = setting.chunks * setting.rowsOfChunk;
  return Array.from({ length: count }, (_, i) => {
    const row = i + 2;
    const isTwin = !setting.tagged && random.happens(0.3);
    return {
      row,
      address: isTwin ? 'twin' : `address-${row}`,
      amount: isTwin ? '1' : `${random.between(1, 9_000_000)}.${random.between(1, 9)}`,
      comment: setting.tagged ? taggedComment('', BATCH_CODE, row) : '',
    };
  });
}
