import { NO_PAYEES } from '../../../src/ingest/index.ts';
import { describe, expect, it } from '@jest/globals';
import { createFindingCollector } from '../../../src/ingest/finding-collector.ts';
import { compareWithHistory } from '../../../src/ingest/history/compare-with-history.ts';
import { createBatchFingerprints } from '../../../src/ingest/history/batch-fingerprints.ts';
import { EVM, HEADER, ingestText, TRON, TRON_2 } from '../support/ingest.ts';

/** Returns the findings on equal rows of a file, in chunks of `chunkRows`. */
async function equalRows(lines: readonly string[], chunkRows = 1_000) {
  const text = HEADER + lines.map((line) => `${line}\n`).join('');
  const { summary, chunks } = await ingestText(text, { chunkRows });
  const count = summary.rows - summary.refusedRows;
  const own = createBatchFingerprints({ prints: () => chunks, count });
  const book = createFindingCollector();
  await compareWithHistory(
    own,
    { others: [], ownAddresses: [], payees: NO_PAYEES, payAtMs: 0, historyDays: 25 },
    book,
  );
  return book.findings().filter(({ code }) => code === 'DUPLICATE_ROW');
}

describe('equal rows', () => {
  it.each([1, 2, 1_000])('are found in any spelling, in chunks of %i', async (size) => {
    const lines = [
      `${EVM},1.5,USDT_ERC20,one,`,
      `${EVM.toLowerCase()},1.500,USDT_ERC20,two,`,
      `${EVM},1.5,USDC_ERC20,another currency,`,
      `${EVM},1.6,USDT_ERC20,another amount,`,
      ` ${EVM} ,1.5,USDT_ERC20,three,`,
      `${EVM},1.5,USDC_ERC20,another currency again,`,
    ];
    expect(await equalRows(lines, size)).toEqual([
      {
        code: 'DUPLICATE_ROW',
        count: 3,
        examples: [
          { row: 3, detail: 'same as row 2' },
          { row: 6, detail: 'same as row 2' },
          { row: 7, detail: 'same as row 4' },
        ],
      },
    ]);
  });

  it('are all counted, and the first twenty are named', async () => {
    const [found] = await equalRows(Array.from({ length: 5_000 }, () => `${TRON},1,TRX,,`));
    expect([found?.count, found?.examples.length]).toEqual([4_999, 20]);
  });

  it('are found across a file of thousands of other rows', async () => {
    const others = Array.from({ length: 20_000 }, (_, i) => `${TRON_2},${i + 1}.25,TRX,,`);
    expect(await equalRows([`${TRON},7,TRX,,`, ...others, `${TRON},7,TRX,,`])).toEqual([
      { code: 'DUPLICATE_ROW', count: 1, examples: [{ row: 20_003, detail: 'same as row 2' }] },
    ]);
  });

  it('do not count when one of them is refused', async () => {
    expect(await equalRows([`${TRON},1,TRX,=1,`, `${TRON},1,TRX,,`])).toEqual([]);
  });
});
