import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testAddress, type TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readReport } from '../support/oracle.ts';
import { writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let next = 0;

beforeAll(async () => {
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { BURSAR_BATCH_CHUNK_ROWS: '3', BURSAR_SANDBOX_STEP_MS: '100' },
  });
});
afterAll(() => stack.stop());

/** Pays a file whose rows have the given fates at the service; three rows are a mass payout. */
async function pay(fates: readonly TestAddressCode[], ...flags: string[]) {
  const rows = fates.map((code) => {
    next += 1;
    return {
      address: testAddress(code, next, 'TRON'),
      amount: `${next}.5`,
      currency: 'USDT_TRC20',
    };
  });
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const ended = await stack.json('submit', file, '--id', batchId, '--yes', ...flags);
  return { ...ended, rows, dir: join(stack.folder, 'runs', batchId), batchId };
}

describe('a mass payout', () => {
  it.each<[string, TestAddressCode[], number, string, object]>([
    ['pays it', ['0000', '0000', '0000'], 0, 'COMPLETED', { paid: 3 }],
    ['fails a row of it', ['0000', '0001', '0002'], 10, 'PARTIAL', { paid: 1, failed: 2 }],
    ['fails it as a whole', ['0000', '0009', '0000'], 11, 'FAILED', { failed: 3 }],
    ['fails every row of it', ['0001', '0001', '0002'], 11, 'FAILED', { failed: 3 }],
    ['keeps it waiting, and then pays it', ['0000', '0003', '0000'], 0, 'COMPLETED', { paid: 3 }],
    [
      'fails one and pays the other',
      ['0009', '0000', '0000', '0000', '0000', '0000'],
      10,
      'PARTIAL',
      { paid: 3, failed: 3 },
    ],
  ])('%s', async (_what, fates, exitCode, state, counts) => {
    const { code, value, rows, dir, batchId } = await pay(fates);
    expect([code, value['state']]).toEqual([exitCode, state]);
    expect(value['rows']).toMatchObject({ unknown: 0, notSent: 0, inFlight: 0, ...counts });
    expect(readReport(dir).batchId).toBe(batchId);
    expect(rows).toHaveLength(fates.length);
  });

  it('waits for the date that it was given', async () => {
    const due = new Date(Date.now() + (await leadMsFor(stack, 4))).toISOString();
    const { code } = await pay(['0000'], '--execution-date', due);
    expect(code).toBe(0);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(due));
  });
});

it('accounts for every row of all of them together', async () => {
  const fates: TestAddressCode[] = ['0000', '0001', '0000', '0009', '0000', '0000', '0003', '0000'];
  const other = await startTestStack({
    folder: sharedFolder(),
    env: { BURSAR_BATCH_CHUNK_ROWS: '3', BURSAR_SANDBOX_STEP_MS: '100' },
  });
  try {
    const rows = fates.map((code, i) => ({
      address: testAddress(code, i, 'EVM'),
      amount: `0.${i + 1}`,
      currency: 'USDC_ERC20',
    }));
    const file = join(other.folder, 'mixed.csv');
    writeSample(file, rows);
    const { code } = await other.json('submit', file, '--id', other.batchId, '--yes');
    expect(code).toBe(10);
    await expectExactlyOnce(other.sandboxUrl, join(other.folder, 'runs', other.batchId), rows);
  } finally {
    await other.stop();
  }
});

it('a clock that is five minutes off is reported before anything is started', async () => {
  const off = await startTestStack({
    folder: sharedFolder(),
    without: ['bridge', 'worker'],
    env: { BURSAR_SANDBOX_CLOCK_OFFSET_MS: '300000' },
  });
  try {
    const file = join(off.folder, 'payroll.csv');
    writeSample(file, [
      { address: testAddress('0000', 1, 'TRON'), amount: '1', currency: 'USDT_TRC20' },
    ]);
    const { code, err } = await off.bursar('submit', file, '--yes');
    expect([code, err.includes('CLOCK_SKEW')]).toEqual([4, true]);
    expect(err).toMatch(/(299|30[01]) seconds/);
  } finally {
    await off.stop();
  }
});
