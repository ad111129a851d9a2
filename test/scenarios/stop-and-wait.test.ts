import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { ledgerWithdrawals, readPlainCsv, requestCount } from '../support/oracle.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: {
      BURSAR_BATCH_CHUNK_ROWS: '10',
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '1',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '100',
    },
  });
});
afterAll(() => stack.stop());

describe('a batch that is canceled half-way', () => {
  it('settles and reports the sent chunks, and sends nothing more', async () => {
    const rows = sampleRows({ rows: 3_000, currencies: ['USDT_TRC20'] });
    const file = join(stack.folder, 'payroll.csv');
    writeSample(file, rows);
    const batchId = newBatchId();
    await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach');
    await eventually('ten creates', async () =>
      (await requestCount(stack.sandboxUrl, 'MASS_CREATE')) >= 10 ? true : undefined,
    );
    const canceled = await stack.bursar('cancel', batchId, '--reason', 'the wrong month');
    expect(canceled.code).toBe(0);
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state']]).toEqual([12, 'CANCELED']);
    const { paid, notSent } = value['rows'] as { paid: number; notSent: number };
    expect(paid).toBeGreaterThanOrEqual(100);
    expect([paid + notSent, notSent > 0]).toEqual([3_000, true]);

    const dir = join(stack.folder, 'runs', batchId);
    await expectExactlyOnce(stack.sandboxUrl, dir, rows);
    expect(readPlainCsv(join(dir, 'resend.csv'))).toHaveLength(notSent);
    const again = await stack.bursar('cancel', batchId, '--reason', 'once more');
    expect([again.code, again.err.includes('BATCH_ENDED')]).toEqual([2, true]);
  });
});

describe('a batch whose worker was killed', () => {
  const created = () => requestCount(stack.sandboxUrl, 'MASS_CREATE');

  /** Starts a batch, and kills its worker after ten creates. */
  async function orphaned(batchId: string, from: number) {
    const rows = sampleRows({ rows: 1_000, from, currencies: ['USDT_TRC20'] });
    const file = join(stack.folder, `${batchId}.csv`);
    writeSample(file, rows);
    const before = await created();
    await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach');
    await eventually('ten creates', async () => (await created()) >= before + 10 || undefined);
    await stack.kill('worker');
    return rows;
  }

  /** The ledger has each address of the rows once at most. Returns how many it has. */
  async function expectPaidOnce(rows: readonly Readonly<{ address: string }>[]): Promise<number> {
    const ours = new Set(rows.map(({ address }) => address));
    const paid = (await ledgerWithdrawals(stack.sandboxUrl))
      .map(({ depositAddress }) => depositAddress)
      .filter((address) => ours.has(address));
    expect(new Set(paid).size).toBe(paid.length);
    return paid.length;
  }

  it('can be canceled, and is settled and reported by the next worker, which sends nothing more', async () => {
    const batchId = newBatchId();
    const rows = await orphaned(batchId, 10_000);
    const startedMs = Date.now();
    const canceled = await stack.bursar('cancel', batchId, '--reason', 'the wrong month');
    expect([canceled.code, canceled.out]).toEqual([
      0,
      expect.stringContaining('No worker answers on task queue'),
    ]);
    expect(Date.now() - startedMs).toBeLessThan(15_000);
    const atCancel = await created();
    await stack.start('worker');
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state']]).toEqual([12, 'CANCELED']);
    expect(await created()).toBe(atCancel);
    await expectPaidOnce(rows);
  });

  it('can be paused, and the next worker creates nothing until it is resumed', async () => {
    const batchId = newBatchId();
    const rows = await orphaned(batchId, 20_000);
    const listed = await stack.json('list');
    expect(listed.value).toMatchObject({ worker: { answers: false } });
    const paused = await stack.json('pause', batchId, '--reason', 'lunch');
    expect(paused).toMatchObject({ code: 0, value: { worker: { answers: false } } });
    const atPause = await created();
    await stack.start('worker');
    await eventually('its workflow is paused', async () => {
      const { value } = await stack.json('status', batchId);
      return value['worker'] === undefined && (value['holds'] as object[]).length === 1
        ? true
        : undefined;
    });
    expect((await stack.json('watch', batchId, '--timeout', '3s')).code).toBe(8);
    expect(await created()).toBe(atPause);
    expect((await stack.bursar('resume', batchId, '--reason', 'back')).code).toBe(0);
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
    expect(await expectPaidOnce(rows)).toBe(1_000);
  });
});

describe('batches that no worker has read yet', () => {
  it('are canceled and paused, and the next worker creates nothing of them', async () => {
    const rows = sampleRows({ rows: 20, from: 30_000, currencies: ['USDT_TRC20'] });
    const file = join(stack.folder, 'unread.csv');
    writeSample(file, rows);
    const others = join(stack.folder, 'unread-others.csv');
    writeSample(others, sampleRows({ rows: 20, from: 31_000, currencies: ['USDT_TRC20'] }));
    await stack.kill('worker');
    const [canceled, paused] = [newBatchId(), newBatchId()];
    await stack.bursar('submit', file, '--id', canceled, '--yes', '--detach');
    await stack.bursar('submit', others, '--id', paused, '--yes', '--detach');
    const before = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
    expect((await stack.bursar('cancel', canceled, '--reason', 'no')).code).toBe(0);
    expect((await stack.bursar('pause', paused, '--reason', 'lunch')).code).toBe(0);
    await stack.start('worker');
    const { code, value } = await stack.json('watch', canceled);
    expect([code, value['state']]).toEqual([12, 'CANCELED']);
    expect((await stack.json('watch', paused, '--timeout', '3s')).code).toBe(8);
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(before);
    expect((await stack.bursar('resume', paused, '--reason', 'back')).code).toBe(0);
    expect((await stack.json('watch', paused)).value['state']).toBe('COMPLETED');
  });
});

describe('a batch with a due time', () => {
  const submit = (batchId: string, at: string, offset: number) => {
    const file = join(stack.folder, `${batchId}.csv`);
    writeSample(file, sampleRows({ rows: 4_000 + offset, currencies: ['USDT_TRC20'] }).slice(-5));
    return stack.bursar('submit', file, '--id', batchId, '--yes', '--detach', '--at', at);
  };

  it('waits for it, and can be canceled before: nothing is sent', async () => {
    const batchId = newBatchId();
    const before = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
    const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
    expect((await submit(batchId, nextYear, 0)).code).toBe(8);
    await eventually('it is scheduled', async () => {
      const { value } = await stack.json('status', batchId);
      return value['state'] === 'SCHEDULED' ? true : undefined;
    });
    await stack.bursar('cancel', batchId, '--reason', 'not needed');
    const { code, value } = await stack.json('watch', batchId);
    expect(code).toBe(12);
    expect(value['rows']).toMatchObject({ total: 5, notSent: 5 });
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(before);
  });

  it('is paid when it comes', async () => {
    const batchId = newBatchId();
    const soon = new Date(Date.now() + (await leadMsFor(stack, 4))).toISOString();
    expect((await submit(batchId, soon, 10)).code).toBe(8);
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
  });
});

describe('a batch whose service cannot be reached', () => {
  it('can be canceled at once, and has sent nothing', async () => {
    const batchId = newBatchId();
    const file = join(stack.folder, `${batchId}.csv`);
    writeSample(file, sampleRows({ rows: 5_000, currencies: ['USDT_TRC20'] }).slice(-5));
    await stack.stopOne('sandbox');
    await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach', '--no-preflight');
    await eventually('it asks for the balance or the fees', async () => {
      const { value } = await stack.json('status', batchId);
      return value['state'] === 'PLANNED' || value['state'] === 'CHECKING_FUNDS' ? true : undefined;
    });
    await stack.bursar('cancel', batchId, '--reason', 'not today');
    const { code, value } = await stack.json('watch', batchId);
    expect(code).toBe(12);
    expect(value['rows']).toMatchObject({ total: 5, notSent: 5 });
    await stack.start('sandbox');
  });
});
