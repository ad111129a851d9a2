import { writeFileSync } from 'node:fs';
import { testAddress } from '../../packages/sandbox/src/test-addresses.ts';

export type SampleRow = Readonly<{ address: string; amount: string; currency: string }>;

export type SampleOptions = Readonly<{
  rows: number;
  /** Rows of the same place are the same; a file that starts at another one has others. Default: 0. */
  from?: number;
  /** Every so many rows, one whose withdrawal fails; 0: none. */
  failEvery?: number;
  currencies?: readonly ('USDT_TRC20' | 'USDC_ERC20')[];
}>;

/** Rows that differ from each other, all valid; the same for the same options. Amounts are exact text. */
export function sampleRows({
  rows,
  from = 0,
  failEvery = 0,
  currencies = ['USDT_TRC20', 'USDC_ERC20'],
}: SampleOptions): SampleRow[] {
  return Array.from({ length: rows }, (_, at) => {
    const i = from + at;
    const currency = currencies[i % currencies.length] ?? 'USDT_TRC20';
    const fails = failEvery > 0 && i % failEvery === failEvery - 1;
    const network = currency === 'USDT_TRC20' ? 'TRON' : 'EVM';
    return {
      address: testAddress(fails ? '0001' : '0000', i, network),
      amount: `${1 + (i % 7)}.${String((i % 99) + 1).padStart(2, '0')}`.replace(/0$/, ''),
      currency,
    };
  });
}

/** Writes the rows as a merchant's file. */
export function writeSample(path: string, rows: readonly SampleRow[]): void {
  const lines = rows.map(({ address, amount, currency }) => `${address},${amount},${currency}`);
  writeFileSync(path, ['address,amount,currency', ...lines, ''].join('\n'));
}
