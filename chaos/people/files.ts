import { writeFileSync } from 'node:fs';
import { testAddress, type TestAddressCode } from '@bursar/sandbox';
import type { Random } from '../../sim/random.ts';
import type { FileRow } from '../evidence/evidence.ts';

/** What the service makes of a row, and how many rows of a thousand it meets. */
const FATES: readonly (readonly [code: TestAddressCode, perThousand: number])[] = [
  // The row fails.
  ['0001', 30],
  ['0002', 10],
  // The mass payout waits in WAITING_COMPLETION_ERRORS, or longer in IN_PROGRESS.
  ['0003', 3],
  ['0006', 3],
  // The whole mass payout fails.
  ['0009', 2],
];

const CURRENCIES = [
  ['USDT_TRC20', 'TRON'],
  ['USDC_ERC20', 'EVM'],
] as const;

/** Makes rows of which no two are alike, in the whole run. */
export function createRowMaker(random: Random) {
  let made = 0;
  return (count: number): FileRow[] =>
    Array.from({ length: count }, () => {
      made += 1;
      const [currency, network] = random.pick(CURRENCIES);
      return {
        address: testAddress(fateOf(random), made, network),
        amount: amountText(random),
        currency,
      };
    });
}

function fateOf(random: Random): TestAddressCode {
  let draw = random.below(1_000);
  for (const [code, perThousand] of FATES) {
    if (draw < perThousand) return code;
    draw -= perThousand;
  }
  return '0000';
}

/** Canonical: no zero ends the fraction. */
const amountText = (random: Random): string =>
  `${random.between(1, 900)}.${String(random.below(1_000)).padStart(3, '0')}`.replace(/\.?0+$/, '');

export function writeFile(path: string, rows: readonly FileRow[]): void {
  const lines = rows.map(({ address, amount, currency }) => `${address},${amount},${currency}`);
  writeFileSync(path, ['address,amount,currency', ...lines, ''].join('\n'));
}
