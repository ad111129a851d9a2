import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CORPUS } from './corpus.ts';
import { assertAsRead, outcomeOf } from './support/compare-readers.ts';

describe.each(Object.entries(CORPUS))('%s', (_fault, files) => {
  it.each(files)('%s', async (_what, content, expected) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const path = join(temporaryFolder(), 'payouts.csv');
    for (const readBytes of [65_536, 1]) {
      const outcome = await outcomeOf(path, bytes, readBytes);
      assertAsRead(outcome, bytes);
      expect('refusal' in outcome ? outcome.refusal : linesOf(outcome)).toEqual(expected);
    }
  });
});

/** Returns every row, in file order. */
function linesOf({
  rows,
  refused,
}: Exclude<Awaited<ReturnType<typeof outcomeOf>>, { refusal: string }>) {
  const lines = [
    ...rows.map(({ row, amount, comment }) => ({ row, text: `${amount} ${comment}` })),
    ...refused.map(({ row, column, code }) => ({ row, text: `${column} ${code}` })),
  ];
  return lines.toSorted((a, b) => a.row - b.row).map(({ row, text }) => `${row} ${text}`);
}
