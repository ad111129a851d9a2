import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  compareAmounts,
  formatAmount,
  parseAmount,
  sumAmounts,
} from '../../src/domain/money/amount.ts';
import type { Finding } from '../../src/domain/plan/finding.ts';
import { createRandom, evmAddress } from '../support/payout-files.ts';
import { EVM, HEADER, ingestText, TRON, TRON_2 } from './support/ingest.ts';

type Line = readonly [address: string, amount: string, currency?: string];

const fileOf = (lines: readonly Line[]): string =>
  HEADER +
  lines
    .map(([address, amount, currency = 'TRX']) => `${address},${amount},${currency},,\n`)
    .join('');

const limit = (amount: string, currency = 'TRX') => ({ currency, amount });

async function findingsOf(
  lines: readonly Line[],
  limits: Readonly<{ row?: ReturnType<typeof limit>[]; payee?: ReturnType<typeof limit>[] }>,
): Promise<readonly Finding[]> {
  const whole = { row: [], payee: [], ...limits };
  const { summary } = await ingestText(fileOf(lines), { limits: whole });
  expect(summary.limits).toEqual(whole);
  return summary.findings.filter(({ code }) => code.startsWith('LIMIT_'));
}

describe('a limit of one row', () => {
  it('is broken by each row above it, only in its own currency', async () => {
    const lines: Line[] = [
      [TRON, '100'],
      [TRON, '100.000001'],
      [TRON_2, '5000'],
      [EVM, '999999', 'USDT_ERC20'],
    ];
    expect(await findingsOf(lines, { row: [limit('100')] })).toEqual([
      {
        code: 'LIMIT_ROW',
        count: 2,
        examples: [
          { row: 3, detail: `100.000001 TRX to ${TRON}; the limit is 100.00` },
          { row: 4, detail: `5,000.00 TRX to ${TRON_2}; the limit is 100.00` },
        ],
      },
    ]);
  });

  it('is checked also where the sum of a recipient has more digits than an amount may have', async () => {
    const largest = '9'.repeat(30);
    const findings = await findingsOf(
      [
        [TRON, largest],
        [TRON, largest],
      ],
      { payee: [limit('1')] },
    );
    expect(findings.map(({ code, count }) => [code, count])).toEqual([['LIMIT_PAYEE', 2]]);
  });

  it('is not checked without a limit', async () => {
    expect(await findingsOf([[TRON, '999999999999']], {})).toEqual([]);
    expect(await findingsOf([[TRON, '5']], { row: [limit('1', 'BTC')] })).toEqual([]);
  });

  it('is the lowest of several', async () => {
    const limits = { row: [limit('9'), limit('3'), limit('5')] };
    expect((await findingsOf([[TRON, '4']], limits))[0]?.examples[0]?.detail).toContain(
      'limit is 3',
    );
  });

  it('does not apply to refused rows', async () => {
    expect(
      await findingsOf(
        [
          ['nowhere', '500'],
          [TRON, '1'],
        ],
        { row: [limit('100')] },
      ),
    ).toEqual([]);
  });
});

describe('a limit of one recipient', () => {
  it('is broken by the sum of all rows of an address, in any spelling', async () => {
    const lines: Line[] = [
      [EVM, '60', 'ETH'],
      [EVM.toLowerCase(), '40', 'ETH'],
      [EVM, '0.000000000000000001', 'ETH'],
      [EVM, '500', 'USDT_ERC20'],
    ];
    expect(await findingsOf(lines, { payee: [limit('100', 'ETH')] })).toEqual([
      {
        code: 'LIMIT_PAYEE',
        count: 3,
        examples: [
          {
            row: 2,
            detail: `100.000000000000000001 ETH in 3 rows to ${EVM.toLowerCase()}; the limit is 100.00`,
          },
        ],
      },
    ]);
    expect(await findingsOf(lines.slice(0, 2), { payee: [limit('100', 'ETH')] })).toEqual([]);
  });

  it('is compared with the exact sum, for every recipient and in any order', async () => {
    const random = createRandom(3);
    const addresses = Array.from({ length: 5 }, () => evmAddress(random));
    const amount = fc.constantFrom('0.1', '0.2', '0.3', '1', '0.000000000000000001');
    const rows = fc.array(fc.tuple(fc.nat(4), amount), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('0.6', '1', '2.3'), async (paid, max) => {
        const lines = paid.map(([i, text]): Line => [addresses[i] ?? '', text, 'ETH']);
        const above = addresses.filter((_, i) => {
          const sum = sumAmounts(
            paid.filter(([j]) => j === i).map(([, text]) => parseAmount(text)),
          );
          return compareAmounts(sum, parseAmount(max)) > 0;
        });
        const rowsAbove = lines.filter(([address]) => above.includes(address)).length;
        const [found] = await findingsOf(lines, { payee: [limit(max, 'ETH')] });
        expect([found?.count ?? 0, found?.examples.length ?? 0]).toEqual([rowsAbove, above.length]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the first chunk of each currency', () => {
  const currencies = ['TRX', 'USDT_TRC20', 'USDC_TRC20'];
  const lines = fc.array(
    fc.tuple(fc.constantFrom(...currencies), fc.integer({ min: 1, max: 999 })),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  const size = fc.integer({ min: 1, max: 12 });

  it('has as many rows as the canary, and all chunks tie out with the file', async () => {
    await fc.assert(
      fc.asyncProperty(lines, size, fc.nat(14), async (paid, chunkRows, canaryRows) => {
        const text = fileOf(paid.map(([currency, units]): Line => [TRON, `0.${units}1`, currency]));
        const { chunks, rows, summary } = await ingestText(text, { chunkRows, canaryRows });
        const first = canaryRows === 0 ? chunkRows : Math.min(canaryRows, chunkRows);
        expect(rows.map(({ row }) => row).sort((a, b) => a - b)).toEqual(paid.map((_, i) => i + 2));
        expect(chunks.map(({ chunk }) => chunk)).toEqual(chunks.map((_, i) => i));
        for (const currency of summary.currencies) {
          const own = chunks.filter((chunk) => chunk.currency === currency.currency);
          const sizes = own.map(({ rowCount }) => rowCount);
          const rest = currency.rows - Math.min(first, currency.rows);
          expect(sizes[0]).toBe(Math.min(first, currency.rows));
          expect(sizes.slice(1, -1).every((count) => count === chunkRows)).toBe(true);
          expect(sizes.slice(1).reduce((sum, count) => sum + count, 0)).toBe(rest);
          const total = sumAmounts(own.map((chunk) => parseAmount(chunk.total)));
          expect(formatAmount(total)).toBe(currency.total);
        }
        for (const { rowCount, prints } of chunks) expect(prints.length).toBe(rowCount * 8);
      }),
      { numRuns: 80 },
    );
  });

  it('is as large as the others without a canary, and never larger', async () => {
    const text = fileOf(Array.from({ length: 7 }, (_, i): Line => [TRON, String(i + 1)]));
    const sizes = async (canaryRows: number) =>
      (await ingestText(text, { chunkRows: 3, canaryRows })).chunks.map(({ rowCount }) => rowCount);
    expect(await sizes(0)).toEqual([3, 3, 1]);
    expect(await sizes(1)).toEqual([1, 3, 3]);
    expect(await sizes(50)).toEqual([3, 3, 1]);
    await expect(sizes(-1)).rejects.toThrow(RangeError);
    await expect(sizes(0.5)).rejects.toThrow(RangeError);
  });
});
