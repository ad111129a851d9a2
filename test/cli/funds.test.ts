import { upcomingRuns } from '../../src/operations/batch/funds-view.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/store/index.ts';
import { addPlannedBatch } from '../support/planned-batch.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { running } from './support/fake-engine.ts';
import { fakeService } from './support/fake-service.ts';
import { type FakeWorld, fakeWorld, NOW } from './support/fake-world.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const NOW_MS = Date.parse(NOW);
const FRIDAY = '2026-11-27T08:00:00.000Z';

let world: FakeWorld;
let store: Store;
let asked: (string | undefined)[];
beforeEach(async () => {
  asked = [];
  const balance = async ({ account }: Readonly<{ account?: string }> = {}) => {
    asked.push(account);
    const balances = [
      { currency: 'USDT_TRC20', amount: '1000' },
      { currency: 'BTC', amount: '0' },
    ];
    return {
      value: { account: account ?? ACCOUNT, name: 'Main', balances, unreadableParts: [] },
      httpStatus: 200,
      timestampMs: 1,
      bodySha256: 'b',
    };
  };
  const service = fakeService({ readBalance: balance });
  world = fakeWorld({ cwd: temporaryFolder(), service, timeZone: 'Europe/Berlin' });
  store = await world.store();
});
afterEach(() => store.close());

type Given = Readonly<{ total: string; fee?: string; at?: string; granted?: boolean }>;

/** Adds a batch with a claim; one without a time has asked. */
async function claim(batchId: string, { total, fee, at, granted }: Given): Promise<void> {
  const fees = fee === undefined ? {} : { fees: { USDT_TRC20: fee } };
  await addPlannedBatch(store, { batchId, chunks: [`${total}:USDT_TRC20`], ...fees });
  const own = { batchId, account: ACCOUNT, dueAtMs: at === undefined ? null : Date.parse(at) };
  if (at === undefined) await store.funds.ask(own, NOW_MS);
  else await store.funds.claim(own);
  if (!granted) return;
  const before = await store.funds.look(ACCOUNT);
  const about = { ...own, nowMs: NOW_MS, before, span: { startMs: 0, endMs: 1 } };
  await store.funds.decide(about, () => ({ decision: 'granted' }));
}

describe('bursar funds', () => {
  it('shows the need of each batch, and the times when the account falls short', async () => {
    await claim('suppliers', { total: '300', granted: true });
    await claim('payroll', { total: '1934', fee: '0.5', at: FRIDAY });
    world.engine.executions.set('suppliers', running(undefined));
    world.engine.executions.set('payroll', running(undefined));
    const { code, out } = await world.run('funds');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      `Account ${ACCOUNT} (Main)`,
      'CURRENCY | BALANCE | IN PAYMENT | WAITING BATCHES | AVAILABLE',
      'USDT (TRC20) | 1,000.00 | 300.00 | 1,934.50 | 0.00',
      '',
      'BATCH | STATE | NEEDS | DUE',
      'suppliers | paying | 300.00 USDT (TRC20) | at once',
      'payroll | scheduled | 1,934.00 USDT (TRC20) and 0.50 of fees | 2026-11-27 09:00:00 Europe/Berlin (2026-11-27 08:00:00 UTC)',
      '',
      'Friday 2026-11-27 09:00 Europe/Berlin: 1,234.50 USDT (TRC20) short (payroll)',
      '',
    ]);
  });

  it('prints the same as JSON, with exact amounts', async () => {
    await claim('payroll', { total: '1934', fee: '0.5', at: FRIDAY });
    const needs = [{ currency: 'USDT_TRC20', amount: '1934', fee: '0.5' }];
    const sum = [{ currency: 'USDT_TRC20', amount: '1934.5' }];
    expect(await world.json('funds')).toEqual({
      code: 0,
      value: {
        schema: 'bursar.funds/v1',
        name: 'Main',
        account: ACCOUNT,
        at: NOW,
        currencies: [
          ...[
            { currency: 'BTC', balance: '0', reserved: '0', claimed: '0', free: '0', short: '0' },
          ],
          {
            currency: 'USDT_TRC20',
            balance: '1000',
            reserved: '0',
            claimed: '1934.5',
            free: '0',
            short: '934.5',
          },
        ],
        claims: [
          {
            batchId: 'payroll',
            stage: 'SCHEDULED',
            due: FRIDAY,
            askedAt: null,
            grantedAt: null,
            needs,
            running: false,
          },
        ],
        forecast: [
          {
            at: FRIDAY,
            demands: [{ name: 'payroll', needs: sum, estimated: false }],
            kept: [],
            left: [{ currency: 'USDT_TRC20', amount: '-934.5' }],
            short: [{ currency: 'USDT_TRC20', amount: '934.5' }],
            estimated: false,
          },
        ],
      },
    });
  });

  it('shows the amount that a waiting batch lacks, with the amount kept for an earlier one', async () => {
    await claim('payroll', { total: '900', fee: '0.5', at: FRIDAY });
    await claim('suppliers', { total: '300' });
    const { out } = await world.run('funds');
    expect(out.split('\n').slice(-3)).toEqual([
      'Saturday 2026-11-21 10:00 Europe/Berlin: 200.50 USDT (TRC20) short (suppliers; reserved for earlier batches: 900.50 USDT (TRC20) for payroll)',
      'Friday 2026-11-27 09:00 Europe/Berlin: 200.50 USDT (TRC20) still short',
      '',
    ]);
  });

  it('names for each currency the batches that need it, and none that needs another one', async () => {
    await claim('suppliers', { total: '1300' });
    const coins = { batchId: 'coins', account: ACCOUNT, dueAtMs: Date.parse(FRIDAY) };
    await addPlannedBatch(store, { batchId: 'coins', chunks: ['1:BTC'] });
    await store.funds.claim(coins);
    await claim('more', { total: '50', at: FRIDAY });
    const { out } = await world.run('funds');
    expect(out).toContain(': 300.00 USDT (TRC20) short (suppliers)\n');
    expect(out).toContain(': 350.00 USDT (TRC20) short (more), 1.00 BTC short (coins)\n');
  });

  it('does not count an earlier shortage for the next due batch', async () => {
    await claim('suppliers', { total: '1300' });
    await addPlannedBatch(store, { batchId: 'coins', chunks: ['0:BTC'] });
    await store.funds.claim({ batchId: 'coins', account: ACCOUNT, dueAtMs: Date.parse(FRIDAY) });
    const { out } = await world.run('funds');
    expect(out).toContain('Europe/Berlin: 300.00 USDT (TRC20) still short\n');
    expect(out).not.toContain('(coins');
  });

  it('reports that there is enough, or that no batch needs money', async () => {
    expect((await world.run('funds')).out).toContain('Enough for all open batches.');
    await claim('small', { total: '1' });
    expect((await world.run('funds')).out).toContain('Enough for all open batches.');
  });

  it('names batches without a running workflow, whose money is kept all the same', async () => {
    await claim('lost', { total: '1', granted: true });
    expect((await world.run('funds')).out).toContain('Batch lost has stopped');
    world.engine.executions.set('lost', running(undefined));
    expect((await world.run('funds')).out).not.toContain('Nobody drives');
  });

  it('works without Temporal, and names the facts that are unknown then', async () => {
    await claim('b', { total: '1' });
    world.engine.isDown = true;
    const { code, value } = await world.json('funds');
    expect([code, value['claims']]).toMatchObject([0, [{ running: null }]]);
    expect((await world.run('funds')).err).toContain('It is unknown whether');
  });

  it('shows another account when one is named', async () => {
    await claim('b', { total: '1' });
    const other = `0x${'b2'.repeat(20)}`;
    const { value } = await world.json('funds', '--account', other);
    expect(value).toMatchObject({ account: other, claims: [] });
    expect(asked).toEqual([other]);
  });

  it.each(['0x1', '', 'main', `0x${'b'.repeat(41)}`, `0x${'g'.repeat(40)}`, `${ACCOUNT} `])(
    'refuses --account "%s" before any request',
    async (account) => {
      const { code, value } = await world.json('funds', '--account', account);
      expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
      expect(value['what']).toContain('--account');
      expect(asked).toEqual([]);
    },
  );

  it('refuses another spelling of an account of its store, since it would miss its batches', async () => {
    await claim('b', { total: '1' });
    const respelled = ACCOUNT.replace('a1', 'A1');
    const { code, value } = await world.json('funds', '--account', respelled);
    expect([code, value['code']]).toEqual([2, 'ACCOUNT_SPELLED_OTHERWISE']);
    expect(asked).toEqual([]);
  });

  it('finds the batches of the account in any spelling of the service', async () => {
    await claim('b', { total: '1' });
    const answer = { account: 'Main', name: 'Main', balances: [], unreadableParts: [] };
    const readBalance = async () => ({
      value: answer,
      httpStatus: 200,
      timestampMs: 1,
      bodySha256: 'b',
    });
    const service = fakeService({ readBalance });
    const other = fakeWorld({ cwd: world.world.cwd, service });
    expect((await other.json('funds')).value).toMatchObject({
      account: ACCOUNT,
      claims: [{ batchId: 'b' }],
    });
  });

  it.each(['soon', '91d', '0d'])('refuses --ahead %s', async (ahead) => {
    expect((await world.json('funds', '--ahead', ahead)).value['code']).toBe('FLAG_INVALID');
  });
});

describe('runs of schedules', () => {
  async function addSchedule(scheduleId: string, more: Readonly<{ paused?: boolean }> = {}) {
    await writableDb(store)
      .insertInto('schedule')
      .values({
        schedule_id: scheduleId,
        definition_json: `"${scheduleId}"`,
        created_by: 'alice',
        created_at_ms: 1,
        note: '',
        checked_until_ms: 1,
        deleted_at_ms: null,
        paused_at_ms: more.paused ? 1 : null,
      })
      .execute();
  }

  async function addRun(scheduleId: string, dueAtMs: number, total: string): Promise<void> {
    const batchId = `${scheduleId}-${dueAtMs}`;
    await addPlannedBatch(store, { batchId, chunks: [total, '5:BTC'], fees: { TRX: '0.5' } });
    await writableDb(store)
      .insertInto('schedule_run')
      .values({
        schedule_id: scheduleId,
        nominal: String(dueAtMs),
        due_at_ms: dueAtMs,
        state: 'DONE',
        rejected: 0,
        batch_id: batchId,
        file_name: null,
        file_sha256: null,
        detail: '',
        changed_at_ms: 1,
      })
      .execute();
  }

  it('are estimated by the last run; the first one has an unknown amount', async () => {
    await addSchedule('monthly');
    await addSchedule('new');
    await addSchedule('asleep', { paused: true });
    await addRun('monthly', 1, '10');
    await addRun('monthly', 2, '20');
    const window = { afterMs: 5, untilMs: 9 };
    const dueTimes = (definitionJson: string) => (definitionJson === '"new"' ? [6] : [7, 8]);
    const needs = [
      { currency: 'TRX', amount: '20.5' },
      { currency: 'BTC', amount: '5' },
    ];
    expect(await upcomingRuns(store, dueTimes, window)).toEqual([
      { name: 'monthly', dueAtMs: 7, needs, estimated: true },
      { name: 'monthly', dueAtMs: 8, needs, estimated: true },
      { name: 'new', dueAtMs: 6, needs: null, estimated: true },
    ]);
  });

  it('without an estimate have one line a schedule, however many there are', async () => {
    const rule = ['--calendar', 'daily 09:00', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
    await world.run('schedule', 'create', 'rent', ...rule, '--yes');
    await world.run('schedule', 'create', 'wages', ...rule, '--yes');
    const { out } = await world.run('funds', '--ahead', '3d');
    expect(out.split('\n').slice(-4)).toEqual([
      'Enough for all open batches.',
      'rent runs 3 times until Tuesday 2026-11-24 10:00 Europe/Berlin; its amount is unknown',
      'wages runs 3 times until Tuesday 2026-11-24 10:00 Europe/Berlin; its amount is unknown',
      '',
    ]);
    expect((await world.run('funds', '--ahead', '1d')).out).toContain(
      'rent runs once, Sunday 2026-11-22 10:00 Europe/Berlin; its amount is unknown',
    );
  });

  it('are read for the given span, up to a maximum', async () => {
    await addSchedule('often');
    const windows: unknown[] = [];
    const dueTimes = (_definition: string, window: unknown) => {
      windows.push(window);
      return [];
    };
    await upcomingRuns(store, dueTimes, { afterMs: 5, untilMs: 9 });
    expect(windows).toEqual([{ afterMs: 5, untilMs: 9, max: 100 }]);
  });
});
