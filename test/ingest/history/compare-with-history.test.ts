import { NO_PAYEES } from '../../../src/ingest/index.ts';
import { describe, expect, it } from '@jest/globals';
import { createBatchFingerprints } from '../../../src/ingest/history/batch-fingerprints.ts';
import { createRandom, evmAddress, tronAddress } from '../../support/payout-files.ts';
import type { PastBatch } from '../../../src/store/rows/fingerprints.ts';
import { codesOf, examplesOf, historyFindings } from './support/history-findings.ts';
import { type Paid, pastBatch, segmentsOf } from './support/test-rows.ts';

const random = createRandom(21);
const [ANN = '', BOB = '', CAT = ''] = Array.from({ length: 3 }, () => evmAddress(random));
const TRON = tronAddress(random);

/** An address with the same ends. */
const twinOf = (address: string): string =>
  `${address.slice(0, 7)}${'0123456789'.repeat(3)}${address.slice(-5)}`.toLowerCase();

async function* inTurn<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

const pay = (address: string, amount = '5', currency = 'USDT_ERC20'): Paid => ({
  address,
  amount,
  currency,
});

/** Returns rows with different recipients that no other batch has. */
const strangers = (count: number): Paid[] =>
  Array.from({ length: count }, () => pay(evmAddress(random)));

describe('a row that an earlier batch paid', () => {
  it('is DUPLICATE_IN_HISTORY, with the row, the batch and its day', async () => {
    const findings = await historyFindings(
      [pay(BOB), pay(ANN)],
      [pastBatch('june', [pay(CAT), pay(ANN.toLowerCase())], { daysAgo: 3 })],
    );
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([
      '3: also row 3 of batch june of 2026-11-18',
    ]);
  });

  it.each<[string, Paid, number]>([
    ['the amount differs', pay(ANN, '6'), 0],
    ['the currency differs', pay(ANN, '5', 'USDC_ERC20'), 0],
    ['the address differs', pay(CAT), 0],
    ['it lies too far back', pay(ANN), 26],
    ['it lies too far ahead', pay(ANN), -26],
  ])('is no finding when %s', async (_what, past, daysAgo) => {
    const findings = await historyFindings(
      [pay(BOB), pay(ANN)],
      [pastBatch('p', [past], { daysAgo })],
    );
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([]);
  });

  it('counts when the other batch was sent or may be sent, today or on a planned day', async () => {
    for (const more of [{ sent: false }, { sent: false, daysAgo: -20 }, { daysAgo: 25 }]) {
      const findings = await historyFindings(
        [pay(BOB), pay(ANN)],
        [pastBatch('p', [pay(ANN)], more)],
      );
      expect(codesOf(findings)).toContain('DUPLICATE_IN_HISTORY 1');
    }
  });

  it('names the newest of several batches, which come first', async () => {
    const others = [pastBatch('new', [pay(ANN)]), pastBatch('old', [pay(ANN)], { daysAgo: 9 })];
    const findings = await historyFindings([pay(BOB), pay(ANN)], others);
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([
      '3: also row 2 of batch new of 2026-11-21',
    ]);
  });
});

describe('a large part of the rows in one earlier batch', () => {
  const many = strangers(50);

  it('is one OVERLAP, and not a list of rows', async () => {
    const findings = await historyFindings(
      [...many, ...strangers(4)],
      [pastBatch('may', [...many, ...strangers(100)].reverse(), { daysAgo: 2 })],
    );
    expect(examplesOf(findings, 'OVERLAP')).toEqual([
      '0: 50 of 54 rows (92 %) are in batch may of 2026-11-19',
    ]);
    expect(codesOf(findings)).toContain('OVERLAP 50');
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([]);
  });

  it('names each batch, the one with the most rows first, and lists the rows of smaller ones', async () => {
    const findings = await historyFindings(
      [...many],
      [
        pastBatch('a', many.slice(0, 20)),
        pastBatch('b', many.slice(10, 50)),
        pastBatch('c', many.slice(3, 5)),
      ],
    );
    expect(examplesOf(findings, 'OVERLAP')).toEqual([
      '0: 40 of 50 rows (80 %) are in batch b of 2026-11-21',
      '0: 20 of 50 rows (40 %) are in batch a of 2026-11-21',
    ]);
    expect(codesOf(findings)).toContain('DUPLICATE_IN_HISTORY 2');
  });

  it.each([
    [1, 1, 0],
    [2, 3, 0],
    [3, 5, 3],
    [3, 6, 3],
    [3, 7, 0],
    [4, 5, 4],
    [9, 19, 0],
    [9, 20, 0],
    [10, 20, 10],
    [19, 100, 0],
    [20, 100, 20],
  ])('%i of %i rows: OVERLAP counts %i', async (shared, count, overlap) => {
    const own = strangers(count);
    const findings = await historyFindings(own, [
      pastBatch('p', [...own.slice(0, shared), pay(CAT)]),
    ]);
    const found = findings.find(({ code }) => code === 'OVERLAP')?.count ?? 0;
    expect(found).toBe(overlap);
    const listed = findings.find(({ code }) => code === 'DUPLICATE_IN_HISTORY')?.count ?? 0;
    expect(listed).toBe(shared - overlap);
  });

  it('is an OVERLAP when the batch has the same rows, even a few', async () => {
    const findings = await historyFindings(
      [pay(ANN), pay(BOB)],
      [pastBatch('p', [pay(BOB), pay(ANN)])],
    );
    expect(examplesOf(findings, 'OVERLAP')).toEqual([
      '0: 2 of 2 rows (100 %) are in batch p of 2026-11-21',
    ]);
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([]);
  });

  it('does not round up to 100 %', async () => {
    const own = strangers(300);
    const findings = await historyFindings(own, [pastBatch('p', own.slice(1))]);
    expect(examplesOf(findings, 'OVERLAP')[0]).toContain('299 of 300 rows (99 %)');
  });
});

describe('a recipient that was never paid', () => {
  it('is FIRST_TIME_PAYEE in each of its rows', async () => {
    const rows = [pay(ANN), pay(BOB), pay(ANN, '7')];
    const findings = await historyFindings(rows, [pastBatch('p', [pay(BOB)], { daysAgo: 900 })]);
    expect(examplesOf(findings, 'FIRST_TIME_PAYEE')).toEqual(['2: ', '4: ']);
  });

  it.each<[string, Paid, Readonly<{ sent: boolean }>]>([
    ['another currency', pay(ANN, '5', 'USDC_ERC20'), { sent: true }],
    ['another network', pay(ANN, '5', 'USDT_POLYGON'), { sent: true }],
    ['a batch that was never sent', pay(ANN), { sent: false }],
  ])('is still new after %s', async (_what, past, more) => {
    const findings = await historyFindings(
      [pay(ANN)],
      [pastBatch('p', [past], { ...more, daysAgo: 60 })],
    );
    expect(codesOf(findings)).toEqual(['FIRST_TIME_PAYEE 1']);
  });
});

describe('an amount far above all earlier ones of its recipient', () => {
  const past = [
    pastBatch('a', [pay(ANN, '3')], { daysAgo: 40 }),
    pastBatch('b', [pay(ANN, '12.5')], { daysAgo: 400 }),
  ];

  it('is AMOUNT_ABOVE_HABIT above ten times the largest one', async () => {
    const findings = await historyFindings([pay(ANN, '125.01')], past);
    expect(examplesOf(findings, 'AMOUNT_ABOVE_HABIT')).toEqual(['2: at most about 12.5 before']);
    expect(codesOf(await historyFindings([pay(ANN, '125')], past))).toEqual([]);
  });

  it('is no finding for other currencies, for new recipients, or by batches that were not sent', async () => {
    expect(codesOf(await historyFindings([pay(ANN, '5000', 'USDC_ERC20')], past))).toEqual([
      'FIRST_TIME_PAYEE 1',
    ]);
    const unsent = [...past, pastBatch('c', [pay(ANN, '1000')], { sent: false, daysAgo: 50 })];
    expect(codesOf(await historyFindings([pay(ANN, '5000')], unsent))).toEqual([
      'AMOUNT_ABOVE_HABIT 1',
    ]);
  });
});

describe('an address that resembles another one', () => {
  it('is LOOK_ALIKE_ADDRESS in every row of its recipient, and the one paid before is not', async () => {
    const rows = [pay(ANN, '9'), pay(twinOf(ANN)), pay(twinOf(ANN), '6')];
    const findings = await historyFindings(rows, [pastBatch('p', [pay(ANN)], { daysAgo: 99 })]);
    expect(examplesOf(findings, 'LOOK_ALIKE_ADDRESS')).toEqual([
      '3: like row 2 of this file',
      '4: like row 2 of this file',
    ]);
  });

  it('is found for recipients of long ago, sent or not', async () => {
    for (const sent of [true, false]) {
      const past = pastBatch('p', [pay(BOB), pay(ANN)], { daysAgo: 999, sent });
      const findings = await historyFindings([pay(twinOf(ANN))], [past]);
      expect(examplesOf(findings, 'LOOK_ALIKE_ADDRESS')).toEqual([
        '2: like row 3 of batch p of 2024-02-26',
      ]);
    }
  });

  it('is found for the own addresses of the account', async () => {
    const findings = await historyFindings([pay(twinOf(ANN))], [], [ANN]);
    expect(examplesOf(findings, 'LOOK_ALIKE_ADDRESS')).toEqual([
      `2: like the account's own ${ANN}`,
    ]);
  });

  it('is not found without equal ends', async () => {
    const findings = await historyFindings(
      [pay(BOB), pay(CAT)],
      [pastBatch('p', [pay(ANN)])],
      [TRON],
    );
    expect(codesOf(findings)).toEqual(['FIRST_TIME_PAYEE 2']);
  });
});

describe('an own address of the account', () => {
  it('is OWN_ADDRESS in any spelling, on every network of its family', async () => {
    const rows = [
      pay(ANN.toLowerCase()),
      pay(ANN, '5', 'USDC_POLYGON'),
      pay(BOB),
      pay(TRON, '1', 'TRX'),
    ];
    const findings = await historyFindings(
      rows,
      [],
      [ANN, TRON, 'c0ffee00-0000-4000-8000-000000000000'],
    );
    expect(examplesOf(findings, 'OWN_ADDRESS')).toEqual([
      `2: the account's own ${ANN}`,
      `3: the account's own ${ANN}`,
      `5: the account's own ${TRON}`,
    ]);
  });

  it('is found on an unknown network when it is the same text', async () => {
    const rows = [pay('abc', '1', 'FOO_BAR'), pay('abd', '1', 'FOO_BAR')];
    expect(examplesOf(await historyFindings(rows, [], ['abc']), 'OWN_ADDRESS')).toEqual([
      "2: the account's own abc",
    ]);
  });

  it('is not found when the account has no such address', async () => {
    expect(codesOf(await historyFindings([pay(ANN)], [], [BOB]))).toEqual(['FIRST_TIME_PAYEE 1']);
    expect(codesOf(await historyFindings([pay(ANN)], [], []))).toEqual(['FIRST_TIME_PAYEE 1']);
  });
});

describe('a comparison', () => {
  it('without history finds no repeats, and names the first twenty rows of the file', async () => {
    const findings = await historyFindings(strangers(30));
    expect(codesOf(findings)).toEqual(['FIRST_TIME_PAYEE 30']);
    expect(examplesOf(findings, 'FIRST_TIME_PAYEE')).toEqual(
      Array.from({ length: 20 }, (_, i) => `${i + 2}: `),
    );
  });

  it('finds the same with more repeats and look-alikes than its memory limits', async () => {
    const rows = [...strangers(40), pay(ANN), pay(BOB), pay(CAT)];
    const many = <Value>(value: Value): Value[] => Array.from({ length: 1_400 }, () => value);
    const repeated = (payments: readonly Paid[]): PastBatch => ({
      ...pastBatch('many', []),
      segments: () =>
        inTurn(
          many(segmentsOf(payments))
            .flat()
            .map((part) => ({ ...part, sent: true })),
        ),
    });
    const twins = Array.from({ length: 100 }, () => pay(twinOf(ANN)));
    const repeats = Array.from({ length: 200 }, () => pay(BOB));
    const findings = await historyFindings(rows, [
      repeated(twins),
      repeated(repeats),
      pastBatch('last', [pay(CAT), pay(twinOf(rows[0]?.address ?? ''))]),
    ]);
    expect(examplesOf(findings, 'LOOK_ALIKE_ADDRESS')).toEqual([
      '2: like row 3 of batch last of 2026-11-21',
      '42: like row 2 of batch many of 2026-11-21',
    ]);
    expect(examplesOf(findings, 'DUPLICATE_IN_HISTORY')).toEqual([
      '43: also row 2 of batch many of 2026-11-21',
      '44: also row 2 of batch last of 2026-11-21',
    ]);
  });

  it('ends when the signal is aborted', async () => {
    const own = segmentsOf([pay(ANN)]);
    const endless = { ...pastBatch('p', []), segments: () => forEver() };
    const { compareWithHistory: judgeHistory } = await import(
      '../../../src/ingest/history/compare-with-history.ts'
    );
    const { createFindingCollector: createFindingBook } = await import(
      '../../../src/ingest/finding-collector.ts'
    );
    const history = {
      others: [endless],
      ownAddresses: [],
      payees: NO_PAYEES,
      payAtMs: 0,
      historyDays: 1,
      signal: AbortSignal.abort(new Error('told to')),
    };
    const judging = judgeHistory(
      createBatchFingerprints({ prints: () => own, count: 1 }),
      history,
      createFindingBook(),
    );
    await expect(judging).rejects.toThrow('told to');
  });

  it('throws when the fingerprints are not those of the rows', async () => {
    const segments = segmentsOf([pay(ANN), pay(BOB)]);
    const reading = (count: number) =>
      createBatchFingerprints({ prints: () => segments, count }).each(() => undefined);
    await expect(reading(1)).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(reading(3)).rejects.toMatchObject({ code: 'INTERNAL' });
    await reading(2);
  });
});

async function* forEver() {
  for (;;) yield { currency: 'USDT_ERC20', prints: new Int32Array(0), sent: true };
}
