import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readPlainCsv, readReport } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

describe('a file of 20,000 rows in two currencies, 30 of which the service will fail', () => {
  const rows = sampleRows({ rows: 20_000, failEvery: 666 });
  const failing = rows.filter((_, i) => i % 666 === 665);

  it('ends PARTIAL, with exact totals, every failed row named and ready to be sent again', async () => {
    const folder = temporaryFolder();
    stack = await startTestStack({ folder });
    const file = join(folder, 'payroll.csv');
    writeSample(file, rows);
    const { code, value } = await stack.json('submit', file, '--id', stack.batchId, '--yes');
    expect(value).toMatchObject({
      schema: 'bursar.batch/v1',
      batchId: stack.batchId,
      workflowId: `batch/${stack.batchId}`,
      state: 'PARTIAL',
      rows: { total: 20_000, paid: 19_970, failed: 30, unknown: 0, notSent: 0, inFlight: 0 },
      chunks: { total: 20 },
    });
    expect(code).toBe(10);
    const { byState } = value['chunks'] as { byState: Record<string, number> };
    expect((byState['COMPLETED'] ?? 0) + (byState['PARTIAL'] ?? 0)).toBe(20);
    expect(byState['PARTIAL']).toBeGreaterThan(0);

    const dir = join(folder, 'runs', stack.batchId);
    await expectExactlyOnce(stack.sandboxUrl, dir, rows);
    const resend = readPlainCsv(join(dir, 'resend.csv')).map(([address, amount, currency]) => ({
      address,
      amount,
      currency,
    }));
    expect(resend).toEqual(failing);
    expect(readPlainCsv(join(dir, 'failed.csv'))).toHaveLength(30);
    expect(existsSync(join(dir, 'investigate.csv'))).toBe(false);
    expect(readReport(dir).digest).toMatch(/^sha256:/);
  });
});
