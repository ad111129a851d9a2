import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { ledgerWithdrawals, readReport } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

async function pay(env: Record<string, string>, failEvery: number) {
  const folder = temporaryFolder();
  stack = await startTestStack({ folder, env: { BURSAR_BATCH_CHUNK_ROWS: '50', ...env } });
  const rows = sampleRows({ rows: 400, failEvery });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const { code, value } = await stack.json('submit', file, '--id', stack.batchId, '--yes');
  return { rows, code, value, stack, dir: join(folder, 'runs', stack.batchId) };
}

/** What the sandbox does not serve, and where the engine looks for it: the same places as ever. */
const ONLY_KNOWN_PATHS = {
  BURSAR_SANDBOX_ENDPOINT_FEE_CALCULATION: '',
  BURSAR_SANDBOX_ENDPOINT_LOOKUP: '',
};

describe('a service with the three documented paths and nothing else', () => {
  it('pays the batch, and the report names the unavailable parts', async () => {
    const { rows, code, value, dir, stack: running } = await pay(ONLY_KNOWN_PATHS, 0);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
    await expectExactlyOnce(running.sandboxUrl, dir, rows);
    expect(readReport(dir).fees).toContain('not available');
  });

  it('never leads to a guess: where a failure cannot be mapped to a row, its chunk is UNKNOWN', async () => {
    const { code, value, dir, stack: running } = await pay(ONLY_KNOWN_PATHS, 399);
    expect([code, value['state']]).toEqual([10, 'PARTIAL']);
    const { rows } = readReport(dir);
    expect(rows).toMatchObject({ total: 400, failed: 0, notSent: 0, unknown: 50, paid: 350 });
    const failed = (await ledgerWithdrawals(running.sandboxUrl)).filter(
      ({ state }) => state === 'FAILED',
    );
    expect(failed).toHaveLength(1);
  });

  it('works the same when the settings name no other path', async () => {
    const told = { BURSAR_API_ENDPOINT_FEE_CALCULATION: '', BURSAR_API_ENDPOINT_LOOKUP: '' };
    const { code } = await pay({ ...ONLY_KNOWN_PATHS, ...told }, 0);
    expect(code).toBe(0);
  });
});

describe('a service that serves fees and lookup at other paths', () => {
  it('is called there, so that every failed row is named', async () => {
    const {
      rows,
      code,
      dir,
      stack: running,
    } = await pay(
      {
        BURSAR_SANDBOX_ENDPOINT_FEE_CALCULATION: '/v9/prices',
        BURSAR_SANDBOX_ENDPOINT_LOOKUP: '/v9/find',
        BURSAR_API_ENDPOINT_FEE_CALCULATION: '/v9/prices',
        BURSAR_API_ENDPOINT_LOOKUP: '/v9/find',
      },
      100,
    );
    expect(code).toBe(10);
    expect(readReport(dir)).toMatchObject({
      rows: { paid: 396, failed: 4, unknown: 0 },
      fees: 'available',
    });
    await expectExactlyOnce(running.sandboxUrl, dir, rows);
  });
});
