import { describe, expect, it } from '@jest/globals';
import type { Finding } from '../../../src/domain/plan/finding.ts';
import type { Limits } from '../../../src/domain/plan/rules.ts';
import { type EarlierBatch, findingsOfPlan } from '../../../src/ingest/index.ts';
import type { PastBatch } from '../../../src/store/history.ts';
import { createRandom, evmAddress } from '../../support/payout-files.ts';
import { HEADER, ingestText } from '../support/ingest.ts';
import { codesOf, examplesOf, HISTORY_DAYS } from './support/judge.ts';
import { NOW_MS, type Paid, pastBatch } from './support/prints.ts';

const random = createRandom(31);
const PEOPLE = Array.from({ length: 12 }, () => evmAddress(random));
const pay = (i: number, amount = '5'): Paid => ({
  ...{ address: PEOPLE[i] ?? '', amount, currency: 'USDT_ERC20' },
});

const NO_LIMITS: Limits = { row: [], batch: [], day: [], payee: [] };

type World = Readonly<{
  others?: readonly PastBatch[];
  limits?: Partial<Limits>;
  earlier?: EarlierBatch;
  skipInvalid?: boolean;
}>;

/** The findings of a file with these rows, read as a worker and the command line read it. */
async function findingsOf(rows: readonly Paid[], world: World = {}): Promise<Finding[]> {
  const lines = rows.map(({ address, amount, currency }) => `${address},${amount},${currency},,\n`);
  const limits = { ...NO_LIMITS, ...world.limits };
  const { summary, chunks } = await ingestText(HEADER + lines.join(''), { chunkRows: 5, limits });
  const findings = await findingsOfPlan({
    summary,
    skipInvalid: world.skipInvalid ?? false,
    prints: chunks,
    rules: { historyDays: HISTORY_DAYS, limits },
    others: world.others ?? [],
    ownAddresses: [],
    payAtMs: NOW_MS,
  });
  return findings(world.earlier);
}

describe('the findings of a plan', () => {
  it('are those of the file and those of history, in the order in which they are declared', async () => {
    const rows = [pay(0), pay(0), pay(1), pay(2, '700')];
    const findings = await findingsOf([...rows, { ...pay(3), address: 'x' }], {
      others: [pastBatch('june', [pay(1), pay(2, '1')], { daysAgo: 1 })],
      limits: { row: [{ currency: 'USDT_ERC20', amount: '600' }] },
      earlier: { batchId: 'july', endState: 'COMPLETED' },
      skipInvalid: true,
    });
    expect(findings.map(({ code, count }) => [code, count])).toEqual([
      ['DUPLICATE_ROW', 1],
      ['DUPLICATE_IN_HISTORY', 1],
      ['FIRST_TIME_PAYEE', 2],
      ['AMOUNT_ABOVE_HABIT', 1],
      ['LIMIT_ROW', 1],
      ['ROWS_SKIPPED', 1],
      ['SAME_FILE_AGAIN', 4],
    ]);
  });

  it('are the same when they are asked for again', async () => {
    const rows = PEOPLE.map((_, i) => pay(i));
    const world = { others: [pastBatch('june', rows.slice(3))] };
    expect(await findingsOf(rows, world)).toEqual(await findingsOf(rows, world));
  });
});

describe('a batch with the very same rows', () => {
  const rows = PEOPLE.map((_, i) => pay(i));
  const others = [pastBatch('renamed', [...rows].reverse()), pastBatch('part', rows.slice(0, 10))];

  it('is SAME_FILE_AGAIN, and not an overlap as well', async () => {
    const findings = await findingsOf(rows, {
      others,
      earlier: { batchId: 'renamed', endState: null },
    });
    expect(examplesOf(findings, 'SAME_FILE_AGAIN')).toEqual(['0: batch renamed (not ended yet)']);
    expect(examplesOf(findings, 'OVERLAP')).toEqual([
      '0: 10 of 12 rows (83 %) are in batch part of 2026-11-21',
    ]);
  });

  it('is an overlap as long as it has no plan by which it is known', async () => {
    const findings = await findingsOf(rows, { others });
    expect(examplesOf(findings, 'OVERLAP')[0]).toContain('12 of 12 rows (100 %)');
    expect(examplesOf(findings, 'SAME_FILE_AGAIN')).toEqual([]);
  });
});

describe('a limit of the whole batch', () => {
  const rows = [pay(0, '0.1'), pay(1, '0.2')];
  const withLimit = (amount: string, currency = 'USDT_ERC20') =>
    findingsOf(rows, { limits: { batch: [{ currency, amount }] } });

  it('is broken by the exact total of its currency', async () => {
    expect(codesOf(await withLimit('0.299999'))).toContain('LIMIT_BATCH 2');
    expect(examplesOf(await withLimit('0.299999'), 'LIMIT_BATCH')).toEqual([
      '0: 0.3 USDT_ERC20; the limit is 0.299999',
    ]);
  });

  it.each([
    ['0.3', 'USDT_ERC20'],
    ['0.1', 'USDT_TRC20'],
  ])('is not broken at %s %s', async (amount, currency) => {
    expect(codesOf(await withLimit(amount, currency))).toEqual(['FIRST_TIME_PAYEE 2']);
  });
});
