import { describe, expect, it } from '@jest/globals';
import { FINDINGS, type Finding, type FindingCode } from '../../../src/domain/plan/finding.ts';
import type { Limits, PayeeRules } from '../../../src/domain/plan/rules.ts';
import { payeeHash } from '../../../src/domain/payees/payee-address.ts';
import type { Payee } from '../../../src/domain/payees/payee.ts';
import type { PayeeBook } from '../../../src/ingest/history/payee-book.ts';
import { type EarlierBatch, NO_PAYEES, readPlanFindings } from '../../../src/ingest/index.ts';
import type { PastBatch } from '../../../src/store/rows/fingerprints.ts';
import { createRandom, evmAddress } from '../../support/payout-files.ts';
import { RULES } from '../../domain/plan/support/house-rules.ts';
import { HEADER, ingestText } from '../support/ingest.ts';
import { withRowTexts } from '../../../src/ingest/history/row-texts.ts';
import { codesOf, examplesOf, HISTORY_DAYS } from './support/history-findings.ts';
import { NOW_MS, type Paid, pastBatch } from './support/test-rows.ts';

const random = createRandom(31);
const PEOPLE = Array.from({ length: 12 }, () => evmAddress(random));
const pay = (i: number, amount = '5'): Paid => ({
  address: PEOPLE[i] ?? '',
  amount,
  currency: 'USDT_ERC20',
});

const NO_LIMITS: Limits = { row: [], batch: [], day: [], payee: [] };

type World = Readonly<{
  others?: readonly PastBatch[];
  limits?: Partial<Limits>;
  earlier?: EarlierBatch;
  skipInvalid?: boolean;
  stopLoss?: readonly string[];
  ownAddresses?: readonly string[];
  payees?: PayeeBook;
  payeeRules?: PayeeRules;
}>;

/** Returns the findings of a file, from the reader of the worker and from that of the command line. */
async function findingsOf(rows: readonly Paid[], world: World = {}): Promise<Finding[]> {
  const lines = rows.map(
    ({ address, amount, currency, reference = '', name = '' }) =>
      `${address},${amount},${currency},,${reference},${name}\n`,
  );
  const limits = { ...NO_LIMITS, ...world.limits };
  const {
    summary,
    chunks,
    rows: accepted,
  } = await ingestText(HEADER.replace('\n', ',name\n') + lines.join(''), { chunkRows: 5, limits });
  const findings = await readPlanFindings({
    summary,
    skipInvalid: world.skipInvalid ?? false,
    prints: () => chunks,
    rowsAt: async (numbers) => accepted.filter(({ row }) => numbers.includes(row)),
    rules: {
      ...{ ...RULES, historyDays: HISTORY_DAYS, limits },
      ...(world.payeeRules === undefined ? {} : { payees: world.payeeRules }),
    },
    stopLoss: world.stopLoss ?? [],
    others: world.others ?? [],
    ownAddresses: world.ownAddresses ?? [],
    payees: world.payees ?? NO_PAYEES,
    payAtMs: NOW_MS,
  });
  return findings(world.earlier);
}

describe('the findings of a plan', () => {
  it('are those of the file and of the history, in the order of their declaration', async () => {
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

  it('name the earlier batch for a program', async () => {
    const rows = [pay(0), pay(1), pay(2), pay(3)];
    const findings = await findingsOf(rows, {
      others: [
        pastBatch('june', [pay(0)], { daysAgo: 1 }),
        pastBatch('may', [...rows.slice(1), pay(3, '9')], { daysAgo: 2 }),
      ],
      earlier: { batchId: 'july', endState: 'COMPLETED' },
    });
    const earlierOf = (wanted: string) =>
      findings
        .filter(({ code }) => code === wanted)
        .map(({ examples }) => examples.map(({ row, earlier }) => [row === 0, earlier]));
    expect(earlierOf('DUPLICATE_IN_HISTORY')).toEqual([[[false, { batchId: 'june' }]]]);
    expect(earlierOf('OVERLAP')).toEqual([[[true, { batchId: 'may' }]]]);
    expect(earlierOf('SAME_FILE_AGAIN')).toEqual([
      [[true, { batchId: 'july', endState: 'COMPLETED' }]],
    ]);
  });

  it('are the same at a second call', async () => {
    const rows = PEOPLE.map((_, i) => pay(i));
    const world = { others: [pastBatch('june', rows.slice(3))] };
    expect(await findingsOf(rows, world)).toEqual(await findingsOf(rows, world));
  });
});

describe('a currency under another name', () => {
  const alias = (i: number, amount: string): Paid => ({ ...pay(i, amount), currency: 'USDT_ETH' });

  it('hides no earlier payment: neither the same one, nor the usual amount of its recipient', async () => {
    const others = [pastBatch('june', [pay(0), pay(1, '1')])];
    const findings = await findingsOf([alias(0, '5'), alias(1, '70')], { others });
    expect(codesOf(findings)).toEqual(['AMOUNT_ABOVE_HABIT 1', 'DUPLICATE_IN_HISTORY 1']);
  });

  it('hides no equal row of the file, and stops it', async () => {
    const codes = codesOf(await findingsOf([pay(0), alias(0, '5')]));
    expect(codes).toEqual(['CURRENCY_NAMED_TWICE 2', 'DUPLICATE_ROW 1', 'FIRST_TIME_PAYEE 2']);
  });

  it('passes no limit: the file is stopped, and no acceptance helps', async () => {
    const limits = { batch: [{ currency: 'USDT_ERC20', amount: '600' }] };
    expect(codesOf(await findingsOf([alias(0, '5000')], { limits }))).toContain(
      'CURRENCY_NAMED_TWICE 1',
    );
    expect(FINDINGS.CURRENCY_NAMED_TWICE.severity).toBe('block');
  });
});

describe('a row that a finding names', () => {
  const told = (i: number, amount: string): string => `${amount}.00 USDT (ERC20) to ${PEOPLE[i]}`;

  it('has its payment and the detail as text', async () => {
    const rows = [pay(0), pay(0), pay(1), pay(2, '700')];
    const findings = await findingsOf(rows, {
      others: [pastBatch('june', [pay(1), pay(2, '1')], { daysAgo: 1 })],
    });
    expect(examplesOf(findings, 'DUPLICATE_ROW')).toEqual([`3: ${told(0, '5')}; same as row 2`]);
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([
      `4: ${told(1, '5')}; also row 2 of batch june of 2026-11-20`,
    ]);
    expect(examplesOf(findings, 'FIRST_TIME_PAYEE')).toEqual([
      `2: ${told(0, '5')}`,
      `3: ${told(0, '5')}`,
    ]);
    expect(examplesOf(findings, 'AMOUNT_ABOVE_HABIT')).toEqual([
      `5: ${told(2, '700')}; at most about 1 before`,
    ]);
  });

  it('must exist in the store', async () => {
    const lost = withRowTexts(await everyFinding(), () => Promise.resolve([]), {
      changes: new Map(),
      payees: NO_PAYEES,
    });
    await expect(lost).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it.each(Object.keys(FINDINGS) as FindingCode[])('of %s is never only a number', async (code) => {
    const { examples = [] } = (await everyFinding()).find((each) => each.code === code) ?? {};
    expect(examples.length > 0).toBe(code !== 'ROWS_SKIPPED');
    for (const { row, detail } of examples) {
      const said =
        code === 'UNKNOWN_NETWORK'
          ? /^FOO_BAR$/
          : /(0x\w{40}|T\w{33}|r\w{30,}|abc)(?: for EMP-2)?(;|$)/;
      expect(detail).toMatch(row > 0 ? said : /batch \w+|the limit is|names it/);
    }
  });

  const { low, high } = payeeHash({
    network: 'tron',
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  });
  const denialOfToken = (...hash: number[]): string | undefined =>
    hash[0] === low && hash[1] === high ? 'denied by zoe: fraud' : undefined;

  /** A file and a history that lead to every finding. */
  function everyFinding(): Promise<Finding[]> {
    const known = Array.from({ length: 10 }, () => ({ ...pay(0), address: evmAddress(random) }));
    const twin =
      `${PEOPLE[0]?.slice(0, 10)}${'12'.repeat(12)}${PEOPLE[0]?.slice(-8)}`.toLowerCase();
    const named = { ...pay(1), name: 'Ann' };
    const changed = { ...pay(2, '700'), reference: 'EMP-2' };
    const rows = [
      ...[pay(0), pay(0), { ...pay(0), address: twin }, named, changed, ...known, pay(3)],
      { address: 'abc', amount: '1', currency: 'FOO_BAR' },
      { address: `0x${'0'.repeat(40)}`, amount: '1', currency: 'ETH' },
      { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', amount: '1', currency: 'USDT_TRC20' },
      { address: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', amount: '1', currency: 'XRP' },
      { ...pay(4), address: 'x' },
    ];
    const money = (amount: string) => [{ currency: 'USDT_ERC20', amount }];
    return findingsOf(rows, {
      others: [
        pastBatch('june', [pay(1), pay(2, '1'), { ...pay(5), reference: 'EMP-2' }]),
        pastBatch('may', known),
      ],
      ownAddresses: [PEOPLE[3] ?? ''],
      payees: {
        ...{ ...NO_PAYEES, isEmpty: false, denialOf: denialOfToken },
        hasOtherName: () => true,
        async *each() {
          yield payeeNamed('Bob', PEOPLE[1] ?? '');
        },
      },
      payeeRules: { knownAbove: [{ currency: 'XRP', amount: '0.5' }], paidBefore: true },
      limits: { row: money('600'), payee: money('650'), batch: money('1') },
      earlier: { batchId: 'july', endState: 'COMPLETED' },
      skipInvalid: true,
      stopLoss: ['5:USDT_TRON'],
    });
  }
});

const payeeNamed = (name: string, written: string): Payee => ({
  ...{ network: 'evm', address: written.toLowerCase(), written, name, email: '', labels: [] },
  ...{ addedAtMs: 0, addedBy: 'zoe', decision: null },
});

describe('a batch with the same rows', () => {
  const rows = PEOPLE.map((_, i) => pay(i));
  const others = [pastBatch('renamed', [...rows].reverse()), pastBatch('part', rows.slice(0, 10))];

  it('is SAME_FILE_AGAIN, and not also an overlap', async () => {
    const findings = await findingsOf(rows, {
      others,
      earlier: { batchId: 'renamed', endState: null },
    });
    expect(examplesOf(findings, 'SAME_FILE_AGAIN')).toEqual(['0: batch renamed (not ended yet)']);
    expect(examplesOf(findings, 'OVERLAP')).toEqual([
      '0: 10 of 12 rows (83 %) are in batch part of 2026-11-21',
    ]);
  });

  it('is an overlap as long as it has no plan', async () => {
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
      '0: 0.30 USDT (ERC20); the limit is 0.299999',
    ]);
  });

  it.each([
    ['0.3', 'USDT_ERC20'],
    ['0.1', 'USDT_TRC20'],
  ])('is not broken at %s %s', async (amount, currency) => {
    expect(codesOf(await withLimit(amount, currency))).toEqual(['FIRST_TIME_PAYEE 2']);
  });
});
