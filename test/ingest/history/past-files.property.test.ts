import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareAmounts, multiplyAmount, parseAmount } from '../../../src/domain/money/amount.ts';
import { isOverlap } from '../../../src/ingest/history/overlaps.ts';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { codesOf, HISTORY_DAYS } from './support/history-findings.ts';
import { type Fate, pastWorld } from './support/past-world.ts';

/*
 * Files in all forms, batches with all ends, and addresses that look alike: the findings are compared
 * with the results of plain arrays. Each run uses another account of one store. So every run also
 * proves that batches of other accounts do not count.
 */

type Paid = Readonly<{ person: number; amount: number; currency: string }>;
type Past = Readonly<{ rows: readonly Paid[]; fates: readonly Fate[]; daysAgo: number }>;

/** Three recipients, and for each two attackers with the same first and last seven digits. */
const PEOPLE = [0, 1, 2].flatMap((person) =>
  ['0', '5', 'a'].map(
    (middle) => `0x${String(person).repeat(2)}face1${middle.repeat(26)}bead${person}ee`,
  ),
);
const lookAlike = (a: number, b: number): boolean =>
  a !== b && Math.floor(a / 3) === Math.floor(b / 3);

const paid = fc.record({
  person: fc.nat(PEOPLE.length - 1),
  amount: fc.constantFrom(1, 2, 10, 15, 1000),
  currency: fc.constantFrom('USDT_ERC20', 'USDC_POLYGON'),
});
const past = fc.record({
  rows: fc.array(paid, { minLength: 1, maxLength: 14 }),
  fates: fc.array(
    fc.constantFrom<Fate>(
      ...([
        'PAID',
        'PAID',
        'UNKNOWN',
        'FAILED',
        'NOT_SENT',
        'WAITING',
        'NEVER_SENT',
        'OPEN',
      ] as const),
    ),
    { minLength: 14, maxLength: 14 },
  ),
  daysAgo: fc.constantFrom(-HISTORY_DAYS - 1, -3, 0, HISTORY_DAYS, HISTORY_DAYS + 1, 300),
});
const style = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  zeros: fc.constantFrom('', '.0', '.000000'),
  isShouting: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer S> ? S : never;

function fileOf(
  rows: readonly Paid[],
  { delimiter, lineEnd, mark, zeros, isShouting }: Style,
): string {
  const lines = rows.map(({ person, amount, currency }) => {
    const address = PEOPLE[person] ?? '';
    const written = isShouting ? `0x${address.slice(2).toUpperCase()}` : address;
    return [written, `${amount}${zeros}`, currency].join(delimiter);
  });
  return mark + [['address', 'amount', 'currency'].join(delimiter), ...lines, ''].join(lineEnd);
}

const isPayee = (a: Paid, b: Paid): boolean => a.person === b.person && a.currency === b.currency;
const isSame = (a: Paid, b: Paid): boolean => isPayee(a, b) && a.amount === b.amount;

/** Returns the rows of a past batch that count, and those that were sent. */
const UNPAID: readonly (Fate | undefined)[] = ['FAILED', 'NOT_SENT', 'NEVER_SENT'];
const counting = ({ rows, fates }: Past): Paid[] =>
  rows.filter((_, i) => !UNPAID.includes(fates[i]));
const sent = (batch: Past): Paid[] =>
  batch.rows.filter((_, i) => ![...UNPAID, 'WAITING'].includes(batch.fates[i]));

/** Returns the indexes of own rows that others have. A repeated row counts by the smaller number. */
function common(own: readonly Paid[], others: readonly Paid[]): number[] {
  const left = [...others];
  return own.flatMap((row, index) => {
    const at = left.findIndex((other) => isSame(row, other));
    if (at === -1) return [];
    left.splice(at, 1);
    return [index];
  });
}

const isFarAbove = (amount: number, before: number): boolean =>
  compareAmounts(parseAmount(`${amount}`), multiplyAmount(parseAmount(`${before}`), 10)) > 0;

function expected(own: readonly Paid[], batches: readonly Past[]): string[] {
  const repeated = new Set<number>();
  const overlaps: number[] = [];
  const equals = batches.filter(({ rows }) => {
    return own.length === rows.length && common(own, rows).length === own.length;
  });
  // A batch without a sent row has no end here, so it may still pay.
  const isTold = equals.length > 0;
  for (const batch of batches) {
    if (Math.abs(batch.daysAgo) > HISTORY_DAYS) continue;
    const rows = counting(batch);
    const shared = common(own, rows);
    const isWhole = shared.length === own.length && own.length === rows.length;
    if (!isOverlap({ shared: shared.length, isSame: isWhole }, own.length)) {
      for (const index of shared) repeated.add(index);
    } else if (!(isWhole && isTold)) overlaps.push(shared.length);
  }
  const known = batches.flatMap(sent);
  const seen = [...own, ...batches.flatMap(counting)];
  const before = (row: Paid): Paid[] => known.filter((each) => isPayee(each, row));
  const counts: [string, number][] = [
    [
      'DUPLICATE_ROW',
      own.filter((row, i) => own.findIndex((each) => isSame(each, row)) < i).length,
    ],
    ['DUPLICATE_IN_HISTORY', repeated.size],
    ['OVERLAP', Math.max(0, ...overlaps)],
    ['SAME_FILE_AGAIN', isTold ? own.length : 0],
    ['FIRST_TIME_PAYEE', own.filter((row) => before(row).length === 0).length],
    [
      'AMOUNT_ABOVE_HABIT',
      own.filter(
        (row) =>
          before(row).length > 0 &&
          before(row).every(({ amount }) => isFarAbove(row.amount, amount)),
      ).length,
    ],
    [
      'LOOK_ALIKE_ADDRESS',
      own.filter(
        (row) =>
          before(row).length === 0 && seen.some(({ person }) => lookAlike(person, row.person)),
      ).length,
    ],
  ];
  return counts.flatMap(([code, count]) => (count > 0 ? [`${code} ${count}`] : [])).sort();
}

let store: Store;
beforeAll(async () => {
  store = await openTestStore(temporaryFolder());
});
afterAll(() => store.close());

let runs = 0;

it('the findings of a new file are the same as those of plain arrays', async () => {
  const own = fc.array(paid, { minLength: 1, maxLength: 14 });
  /** Some batches hold a part of the new file, so that they share many rows. */
  const world = fc.tuple(own, fc.array(past, { maxLength: 3 })).chain(([rows, batches]) =>
    fc.record({
      own: fc.constant(rows),
      batches: fc
        .tuple(fc.subarray(rows, { minLength: 1 }), fc.boolean(), past)
        .map(([part, isUsed, batch]) =>
          isUsed ? [...batches, { ...batch, rows: part }] : batches,
        ),
      styles: fc.array(style, { minLength: 5, maxLength: 5 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(world, async ({ own: rows, batches, styles }) => {
      runs += 1;
      const account = `account-${runs}`;
      const { pastBatch, findings } = pastWorld(store);
      for (const [i, batch] of batches.entries()) {
        const content = fileOf(batch.rows, styles[i] as Style);
        const { fates, daysAgo } = batch;
        await pastBatch({ account, batchId: `${account}-${i}`, content, fates, daysAgo });
      }
      const found = await findings({ account, content: fileOf(rows, styles[4] as Style) });
      const codes = codesOf(found).filter((code) => !code.startsWith('ADDRESS_WITHOUT_CHECKSUM'));
      expect(codes).toEqual(expected(rows, batches));
    }),
    { numRuns: 120 },
  );
});
