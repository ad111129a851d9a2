import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/store/index.ts';
import { addPlannedBatch, type TestBatch } from '../support/planned-batch.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeService } from './support/fake-service.ts';
import { type FakeWorld, fakeWorld, NOW } from './support/fake-world.ts';
import { GOOD, withFiles } from './support/files.ts';

const NOW_MS = Date.parse(NOW);
const NEXT_WEEK_MS = NOW_MS + 7 * 86_400_000;

const ONLINE = ['plan', 'good.csv', '--online', '--id', 'own'];

/** A file of 60.5 USDT_TRC20, and an account of 1000. */
let made: FakeWorld;
let store: Store;
beforeEach(async () => {
  const cwd = withFiles(temporaryFolder(), { 'good.csv': GOOD });
  made = fakeWorld({ cwd, service: fakeService() });
  store = await made.store();
});
afterEach(() => store.close());

/** Adds a batch that will want so much next week. */
async function addScheduled(batchId: string, total: string, more: Partial<TestBatch> = {}) {
  await addPlannedBatch(store, { batchId, chunks: [`${total}:USDT_TRC20`], ...more });
  await store.funds.claim({ batchId, account: more.account ?? ACCOUNT, dueAtMs: NEXT_WEEK_MS });
}

/** Adds a batch that was let go, and has not sent anything yet. */
async function addPaying(batchId: string, total: string): Promise<void> {
  await addScheduled(batchId, total);
  await store.funds.ask({ batchId, account: ACCOUNT, dueAtMs: null }, NOW_MS);
  const before = await store.funds.look(ACCOUNT);
  const about = { batchId, account: ACCOUNT, nowMs: NOW_MS, before, span: null };
  await store.funds.decide(about, () => ({ decision: 'granted' }));
}

const fundsOf = async (...flags: string[]) =>
  ((await made.json(...ONLINE, ...flags)).value['funds'] as unknown[])[0];

describe('bursar plan --online', () => {
  it('counts the needs of other batches that come first, as the funds check does', async () => {
    await addPaying('suppliers', '600');
    await addScheduled('payroll', '380', { fees: { USDT_TRC20: '1.5' } });
    expect(await fundsOf()).toMatchObject({
      available: '1000',
      reserved: '600',
      claimed: '381.5',
      free: '18.5',
      left: '-42.03',
    });
    const { out } = await made.run(...ONLINE);
    expect(out).toMatch(/balance +1,000\.00 USDT \(TRC20\)\n/);
    expect(out).toMatch(/in payment +600\.00 USDT \(TRC20\) for batches that are being paid\n/);
    expect(out).toMatch(/waiting +381\.50 USDT \(TRC20\) for batches before this one\n/);
    expect(out).toMatch(/available +18\.50 USDT \(TRC20\)\n +SHORT +by 42\.03 USDT \(TRC20\)\n/);
  });

  it('names all that is missing when others are short already', async () => {
    await addScheduled('payroll', '1100');
    expect(await fundsOf()).toMatchObject({ free: '0', left: '-160.53' });
  });

  it('counts only earlier claims for a batch that goes before scheduled ones', async () => {
    await addPaying('suppliers', '600');
    await addScheduled('payroll', '380');
    expect(await fundsOf('--before-scheduled')).toMatchObject({
      reserved: '600',
      claimed: '0',
      free: '400',
      left: '339.47',
    });
  });

  it('counts neither the batch itself, nor later batches, nor other accounts', async () => {
    await addScheduled('own', '60.5');
    await addScheduled('later', '999');
    await addScheduled('elsewhere', '999', { account: `0x${'b2'.repeat(20)}` });
    expect(await fundsOf()).toMatchObject({ reserved: '0', claimed: '0', left: '939.47' });
  });

  it('shows no other batches where none comes first', async () => {
    const { out } = await made.run(...ONLINE);
    expect(out).toMatch(
      /balance +1,000\.00 USDT \(TRC20\)\n +balance after +939\.47 USDT \(TRC20\)\n/,
    );
    expect(out).not.toMatch(/reserved|claimed|free/);
  });

  it('shows that other batches are unknown where there is no store', async () => {
    const cwd = withFiles(temporaryFolder(), { 'good.csv': GOOD });
    const alone = fakeWorld({ cwd, service: fakeService() });
    expect((await alone.run(...ONLINE)).out).toMatch(/in payment +not read, .* needs a store\n/);
    expect((await alone.run('plan', 'good.csv')).out).not.toMatch(/reserved/);
  });
});

it('shows that the account holds the same currency under another name', async () => {
  const value = {
    account: ACCOUNT,
    name: 'Main',
    balances: [{ currency: 'USDT_TRON', amount: '278.66' }],
    unreadableParts: [],
  };
  const readBalance = async () => ({ value, httpStatus: 200, timestampMs: 1, bodySha256: 'b' });
  const { cwd } = made.world;
  const { out } = await fakeWorld({ cwd, service: fakeService({ readBalance }) }).run(...ONLINE);
  expect(out).toMatch(
    /balance +0\.00 USDT \(TRC20\)\n +held as +278\.66 USDT \(TRON\), which is the same as USDT_TRC20/,
  );
});

it('bursar submit shows the same before the confirmation', async () => {
  await addScheduled('payroll', '980');
  const env = {
    BURSAR_API_BASE_URL: 'https://service.test',
    BURSAR_API_KEY: 'k',
    BURSAR_API_SECRET_FILE: 'secret',
  };
  const cwd = withFiles(made.world.cwd, { secret: 's' });
  const { err } = await fakeWorld({ cwd, env, service: fakeService() }).run(
    ...['submit', 'good.csv', '--id', 'own'],
  );
  expect(err).toMatch(/waiting +980\.00 USDT \(TRC20\) for batches before this one\n/);
  expect(err).toMatch(/SHORT +by 40\.50 USDT \(TRC20\) \(fees not included\)\n/);
});
