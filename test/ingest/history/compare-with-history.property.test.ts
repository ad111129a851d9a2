import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareAmounts, multiplyAmount, parseAmount } from '../../../src/domain/money/amount.ts';
import { isOverlap } from '../../../src/ingest/history/overlaps.ts';
import { createRandom, evmAddress, tronAddress } from '../../support/payout-files.ts';
import { codesOf, HISTORY_DAYS, historyFindings } from './support/history-findings.ts';
import { type Paid, pastBatch } from './support/test-rows.ts';

/*
 * Few addresses, few amounts, two currencies of one family and one of another, so that all findings
 * occur. The findings are compared with those of the simplest code.
 */

const random = createRandom(11);
const EVM = Array.from({ length: 4 }, () => evmAddress(random));
const TRON = Array.from({ length: 3 }, () => tronAddress(random));

const amount = fc.constantFrom('1', '2', '10', '15', '25', '1000');
const rowOn = (addresses: readonly string[], ...currencies: string[]) =>
  fc.record({
    address: fc.constantFrom(...addresses),
    amount,
    currency: fc.constantFrom(...currencies),
  });
const row = fc.oneof(rowOn(EVM, 'USDT_ERC20', 'USDC_POLYGON'), rowOn(TRON, 'USDT_TRC20'));
const rows = fc.array(row, { minLength: 1, maxLength: 40 });
const batch = fc.record({
  rows: fc.array(row, { maxLength: 30 }),
  sent: fc.boolean(),
  daysAgo: fc.constantFrom(-40, -3, 0, HISTORY_DAYS, HISTORY_DAYS + 1, 300),
});

type Batch = Readonly<{ rows: readonly Paid[]; sent: boolean; daysAgo: number }>;

const recipientOf = ({ address, currency }: Paid): string => `${currency} ${address}`;
const nameOf = (paid: Paid): string => `${recipientOf(paid)} ${paid.amount}`;

/** Returns the indexes of rows that a past batch has. A repeated row counts by the smaller number. */
function common(own: readonly Paid[], past: readonly Paid[]): number[] {
  const left = past.map(nameOf);
  return own.flatMap((paid, index) => {
    const at = left.indexOf(nameOf(paid));
    if (at === -1) return [];
    left.splice(at, 1);
    return [index];
  });
}

function expected(own: readonly Paid[], batches: readonly Batch[]): string[] {
  const repeated = new Set<number>();
  const overlaps: number[] = [];
  for (const { rows: past, daysAgo } of batches) {
    if (Math.abs(daysAgo) > HISTORY_DAYS) continue;
    const shared = common(own, past);
    const isSame = shared.length === own.length && own.length === past.length;
    if (isOverlap({ shared: shared.length, isSame }, own.length)) overlaps.push(shared.length);
    else for (const index of shared) repeated.add(index);
  }
  const paid = batches.flatMap(({ rows: past, sent }) => (sent ? past : []));
  const before = (recipient: string) =>
    paid.filter((past) => recipientOf(past) === recipient).map((past) => parseAmount(past.amount));
  const unknown = own.filter((each) => before(recipientOf(each)).length === 0);
  const above = own.filter((each) => {
    const amounts = before(recipientOf(each));
    const isAbove = (past: ReturnType<typeof parseAmount>) =>
      compareAmounts(parseAmount(each.amount), multiplyAmount(past, 10)) > 0;
    return amounts.length > 0 && amounts.every(isAbove);
  });
  const counts: [string, number][] = [
    ['DUPLICATE_ROW', own.length - new Set(own.map(nameOf)).size],
    ['DUPLICATE_IN_HISTORY', repeated.size],
    ['OVERLAP', Math.max(0, ...overlaps)],
    ['FIRST_TIME_PAYEE', unknown.length],
    ['AMOUNT_ABOVE_HABIT', above.length],
  ];
  return counts
    .filter(([, count]) => count > 0)
    .map(([code, count]) => `${code} ${count}`)
    .sort();
}

it('the findings from history are those of the plainest comparison', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.array(batch, { maxLength: 5 }), async (own, batches) => {
      const others = batches.map((each, i) => pastBatch(`past-${i}`, each.rows, each));
      expect(codesOf(await historyFindings(own, others))).toEqual(expected(own, batches));
    }),
    { numRuns: 300 },
  );
});

it('the order of rows changes neither the findings nor their counts', async () => {
  const shuffled = rows.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, fc.array(batch, { maxLength: 3 }), async ([own, other], batches) => {
      const others = () => batches.map((each, i) => pastBatch(`past-${i}`, each.rows, each));
      expect(codesOf(await historyFindings(other, others()))).toEqual(
        codesOf(await historyFindings(own, others())),
      );
    }),
  );
});
