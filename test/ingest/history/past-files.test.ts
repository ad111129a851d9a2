import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/store/index.ts';
import { createRandom, tronAddress } from '../../support/payout-files.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { codesOf, examplesOf, HISTORY_DAYS } from './support/history-findings.ts';
import { type Fate, type NewFile, type PastFile, pastWorld } from './support/past-world.ts';
import { DAY_MS } from './support/test-rows.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

const random = createRandom(51);
const PEOPLE = Array.from({ length: 12 }, () => tronAddress(random));
const [ANN = '', BOB = '', CAT = ''] = PEOPLE;
/** An address whose upper and lower case are the same. */
const EVE = `0x${'5eed'.repeat(10)}`;

const HEADER = 'address,amount,currency,comment\n';
const fileOf = (...lines: string[]): string => HEADER + lines.map((line) => `${line}\n`).join('');
const pays = (address: string, amount = '10', currency = 'USDT_TRC20'): string =>
  `${address},${amount},${currency},wage`;

const past = (content: PastFile['content'], more: Partial<PastFile> = {}): Promise<void> =>
  pastWorld(store).pastBatch({ account: ACCOUNT, batchId: 'june', content, ...more });

const findings = (content: NewFile['content'], more: Partial<NewFile> = {}) =>
  pastWorld(store).findings({ account: ACCOUNT, content, ...more });

/** Returns the codes without the finding on a missing checksum. */
const codes = async (found: ReturnType<typeof findings>): Promise<string[]> =>
  codesOf(await found).filter((code) => !code.startsWith('ADDRESS_WITHOUT'));

describe('a file with the rows of another batch', () => {
  const LINES = PEOPLE.map((address, i) => pays(address, String((i + 1) * 10)));
  const TEXT = fileOf(...LINES, pays(EVE, '7', 'USDT_ERC20'));

  it.each<[string, string | Uint8Array]>([
    ['under another name', TEXT],
    ['with semicolons', TEXT.replaceAll(',', ';')],
    ['with tabs', TEXT.replaceAll(',', '\t')],
    ['with a byte order mark', `\uFEFF${TEXT}`],
    ['with the line ends of Windows', TEXT.replaceAll('\n', '\r\n')],
    ['with zeros after the point', TEXT.replaceAll('0,USDT', '0.0,USDT')],
    ['with the letters of an address in other case', TEXT.replaceAll('5eed', '5EED')],
    ['with quotes', TEXT.replace(/[^,\n]+/g, '"$&"')],
    ['with other comments', TEXT.replaceAll('wage', 'bonus')],
    ['with empty lines', TEXT.replaceAll('\n', '\n\n')],
    ['with a control line', `# rows=13\n${TEXT}`],
    ['packed', gzipSync(TEXT)],
    ['in another order', fileOf(pays(EVE, '7', 'USDT_ERC20'), ...LINES.toReversed())],
  ])('is SAME_FILE_AGAIN %s, and no other finding', async (_how, content) => {
    await past(TEXT, { daysAgo: 3 });
    const found = await findings(content);
    expect(await codes(Promise.resolve(found))).toEqual(['SAME_FILE_AGAIN 13']);
    expect(examplesOf(found, 'SAME_FILE_AGAIN')).toEqual(['0: batch june (not ended yet)']);
  });

  it('is SAME_FILE_AGAIN for a payment at any time in the past', async () => {
    await past(TEXT, { daysAgo: 2_000 });
    expect(await codes(findings(TEXT))).toEqual(['SAME_FILE_AGAIN 13']);
  });

  it('is SAME_FILE_AGAIN even when no row was paid, because a person may still pay them', async () => {
    await past(TEXT, { fates: PEOPLE.map(() => 'FAILED' as const).concat('FAILED') });
    await store.batches.end('june', { state: 'FAILED', atMs: 1, error: null });
    const found = await findings(TEXT);
    expect(await codes(Promise.resolve(found))).toEqual([
      'FIRST_TIME_PAYEE 13',
      'SAME_FILE_AGAIN 13',
    ]);
    expect(examplesOf(found, 'SAME_FILE_AGAIN')).toEqual(['0: batch june (FAILED)']);
  });

  it.each([
    ['one amount', TEXT.replace(',10,', ',10.01,'), ['OVERLAP 12']],
    ['one address', TEXT.replace(ANN, tronAddress(random)), ['FIRST_TIME_PAYEE 1', 'OVERLAP 12']],
    [
      'one currency',
      TEXT.replace('7,USDT_ERC20', '7,USDC_ERC20'),
      ['FIRST_TIME_PAYEE 1', 'OVERLAP 12'],
    ],
    ['one row more', TEXT + `${pays(ANN, '11')}\n`, ['OVERLAP 13']],
    ['one row less', fileOf(...LINES), ['OVERLAP 12']],
  ])('is an OVERLAP with %s changed', async (_what, content, expected) => {
    await past(TEXT, { daysAgo: 3 });
    expect(await codes(findings(content))).toEqual(expected);
  });

  it('has a changed address by its reference, with the address that was paid last', async () => {
    const head = 'address,amount,currency,reference';
    const [before, now] = [tronAddress(random), tronAddress(random)];
    const row = (to: string, amount: string) => `${to},${amount},USDT_TRC20,EMP-1`;
    await past(`${head}\n${row(before, '5')}\n`, { daysAgo: 40 });
    const found = await findings(`${head}\n${row(now, '6')}\n${LINES[0]},\n`);
    expect(found[0]).toMatchObject({
      code: 'ADDRESS_CHANGED',
      count: 1,
      examples: [{ row: 2, change: { payee: 'EMP-1', address: now, before, batchId: 'june' } }],
    });
  });

  it('has the share of its rows that a larger batch pays', async () => {
    await past(fileOf(...LINES, ...PEOPLE.map((address) => pays(address, '999'))), { daysAgo: 1 });
    const found = await findings(fileOf(...LINES.slice(0, 10), pays(EVE, '7', 'USDT_ERC20')));
    expect(examplesOf(found, 'OVERLAP')).toEqual([
      '0: 10 of 11 rows (90 %) are in batch june of 2026-11-20',
    ]);
    expect(examplesOf(found, 'DUPLICATE_IN_HISTORY')).toEqual([]);
  });

  it('is compared only with batches of its own account', async () => {
    await past(TEXT, { account: 'another' });
    expect(await codes(findings(TEXT))).toEqual(['FIRST_TIME_PAYEE 13']);
  });
});

describe('a single row that another batch paid before', () => {
  it('is DUPLICATE_IN_HISTORY in any spelling of the two', async () => {
    await past(fileOf(pays(BOB), `${EVE},10.50,USDT_ERC20,wage`), { daysAgo: 3 });
    const upper = `0x${EVE.slice(2).toUpperCase()}`;
    const found = await findings(`amount;currency;to\n1;TRX;${CAT}\n10.5;USDT_ERC20;${upper}\n`);
    expect(examplesOf(found, 'DUPLICATE_IN_HISTORY')).toEqual([
      `3: 10.50 USDT (ERC20) to ${upper}; also row 3 of batch june of 2026-11-18`,
    ]);
  });

  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [1, 2, 1],
    [2, 2, 2],
    [3, 2, 2],
  ])('%i equal rows now and %i before: it counts %i', async (now, then, counted) => {
    const equal = (count: number) => Array.from({ length: count }, () => pays(ANN));
    await past(fileOf(...equal(then), pays(BOB)));
    const found = await findings(fileOf(...equal(now), pays(CAT)));
    const repeated = found.find(({ code }) => code === 'DUPLICATE_IN_HISTORY');
    expect([repeated?.count, repeated?.examples[0]?.row]).toEqual([counted, 2]);
  });

  it.each([
    [HISTORY_DAYS, true],
    [HISTORY_DAYS + 1 / DAY_MS, false],
    [-HISTORY_DAYS, true],
    [-HISTORY_DAYS - 1 / DAY_MS, false],
  ])('counts when it was paid %d days ago: %s', async (daysAgo, counts) => {
    await past(fileOf(pays(ANN), pays(BOB)), { daysAgo });
    const found = await codes(findings(fileOf(pays(ANN), pays(CAT))));
    expect(found.includes('DUPLICATE_IN_HISTORY 1')).toBe(counts);
  });

  it.each<[Fate, string[]]>([
    ['PAID', ['DUPLICATE_IN_HISTORY 1']],
    ['UNKNOWN', ['DUPLICATE_IN_HISTORY 1']],
    ['OPEN', ['DUPLICATE_IN_HISTORY 1']],
    ['WAITING', ['DUPLICATE_IN_HISTORY 1', 'FIRST_TIME_PAYEE 1']],
    ['FAILED', ['FIRST_TIME_PAYEE 1']],
    ['NOT_SENT', ['FIRST_TIME_PAYEE 1']],
    ['NEVER_SENT', ['FIRST_TIME_PAYEE 1']],
  ])('that was %s shows %j', async (fate, expected) => {
    await past(fileOf(pays(ANN), pays(BOB), pays(CAT)), { fates: [fate] });
    expect(await codes(findings(fileOf(pays(ANN), pays(BOB, '9'))))).toEqual(expected);
  });
});

describe('the history of an address', () => {
  const twin = `0x5eed${'0'.repeat(32)}5eed`;

  it('shows that it resembles a paid one, with full address and location', async () => {
    await past(fileOf(pays(ANN), pays(EVE, '7', 'USDC_ERC20')), { daysAgo: 900 });
    const found = await findings(fileOf(pays(twin, '3', 'USDT_ERC20')));
    expect(examplesOf(found, 'LOOK_ALIKE_ADDRESS')).toEqual([
      `2: 3.00 USDT (ERC20) to ${twin}; like row 3 of batch june of 2024-06-04`,
    ]);
  });

  it('does not count an address that could not be paid', async () => {
    await past(fileOf(pays(EVE, '7', 'USDC_ERC20'), pays(ANN)), { fates: ['FAILED'] });
    expect(await codes(findings(fileOf(pays(twin, '3', 'USDT_ERC20'))))).toEqual([
      'FIRST_TIME_PAYEE 1',
    ]);
  });

  it('shows that an amount is far above all earlier ones, with the largest one', async () => {
    await past(fileOf(pays(ANN, '100'), pays(BOB)), { daysAgo: 400 });
    const found = await findings(fileOf(pays(ANN, '1000.01'), pays(BOB)));
    expect(examplesOf(found, 'AMOUNT_ABOVE_HABIT')).toEqual([
      `2: 1,000.01 USDT (TRC20) to ${ANN}; at most about 100 before`,
    ]);
  });

  it('hides no own wallet, burn address or token contract, even when all were paid before', async () => {
    const burn = `0x${'0'.repeat(36)}dead`;
    const contract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const text = fileOf(pays(ANN), pays(contract), pays(burn, '1', 'ETH'), pays(BOB));
    await past(text.replaceAll('wage', 'paid like this before'), { daysAgo: 900 });
    const found = await findings(text + `${pays(CAT)}\n`, { ownAddresses: [ACCOUNT, ANN] });
    expect(await codes(Promise.resolve(found))).toEqual([
      'ADDRESS_BURN 1',
      'ADDRESS_TOKEN_CONTRACT 1',
      'FIRST_TIME_PAYEE 1',
      'OWN_ADDRESS 1',
    ]);
    expect(examplesOf(found, 'OWN_ADDRESS')).toEqual([
      `2: 10.00 USDT (TRC20) to ${ANN}; the account's own ${ANN}`,
    ]);
  });
});
