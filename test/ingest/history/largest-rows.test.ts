import { expect, it } from '@jest/globals';
import { withRowTexts } from '../../../src/ingest/history/row-texts.ts';
import { NO_PAYEES } from '../../../src/ingest/history/payee-book.ts';
import { createLargestRows } from '../../../src/ingest/history/largest-rows.ts';
import { evmAddress, createRandom } from '../../support/payout-files.ts';
import { historyFindings } from './support/history-findings.ts';
import type { Paid } from './support/test-rows.ts';

const random = createRandom(7);

/** Rows to new addresses: sixty small ones, of which one currency has two large ones at its end. */
const ROWS: readonly Paid[] = [
  ...Array.from({ length: 58 }, (_, i) => ({ address: evmAddress(random), amount: `${i + 1}` })),
  { address: evmAddress(random), amount: '900.5' },
  { address: evmAddress(random), amount: '90000' },
  { address: evmAddress(random), amount: '0.25', currency: 'ETH' },
];

it('a plan names the largest payments to new addresses first, with their references, and counts all', async () => {
  const rowsAt = async (numbers: readonly number[]) =>
    numbers.map((row) => {
      const { address = '', amount = '', currency = 'USDT_ERC20' } = ROWS[row - 2] ?? {};
      return {
        row,
        address,
        amount,
        currency,
        comment: '',
        reference: `EMP-${row}`,
        name: row === 60 ? 'Ann' : '',
      };
    });
  const [finding] = await withRowTexts(
    (await historyFindings(ROWS)).filter(({ code }) => code === 'FIRST_TIME_PAYEE'),
    rowsAt,
    { changes: new Map(), payees: NO_PAYEES },
  );
  expect(finding?.count).toBe(61);
  expect(finding?.examples).toHaveLength(20);
  expect(finding?.examples.slice(0, 3)).toEqual([
    { row: 61, detail: `90,000.00 USDT (ERC20) to ${ROWS[59]?.address} for EMP-61` },
    { row: 60, detail: `900.50 USDT (ERC20) to Ann, ${ROWS[58]?.address} for EMP-60` },
    { row: 59, detail: `58.00 USDT (ERC20) to ${ROWS[57]?.address} for EMP-59` },
  ]);
  expect(finding?.examples.at(-1)?.row).toBe(62);
});

it('of equal amounts, the earlier rows are kept', () => {
  const largest = createLargestRows();
  for (let row = 100; row > 0; row--) largest.add('TRX', 5, row);
  expect([largest.count(), largest.rows()]).toEqual([
    100,
    Array.from({ length: 20 }, (_, i) => i + 1),
  ]);
});

it('currencies take turns, so that none hides the others', () => {
  const largest = createLargestRows();
  for (let row = 1; row <= 100; row++) largest.add('BIG', 1_000 + row, row);
  largest.add('SMALL', 1, 200);
  const rows = largest.rows();
  expect([rows.length, rows.slice(0, 3)]).toEqual([20, [100, 200, 99]]);
});
