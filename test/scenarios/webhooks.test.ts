import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readReport } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

const rows = sampleRows({ rows: 2_000, failEvery: 211 });

async function pay(faults: object[], env: Record<string, string> = {}): Promise<void> {
  const folder = temporaryFolder();
  stack = await startTestStack({
    folder,
    env: { BURSAR_BATCH_CHUNK_ROWS: '100', BURSAR_SANDBOX_FAULTS: JSON.stringify(faults), ...env },
  });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const { code } = await stack.json('submit', file, '--id', stack.batchId, '--yes');
  const dir = join(folder, 'runs', stack.batchId);
  expect(readReport(dir).rows).toMatchObject({ paid: 1_991, failed: 9, unknown: 0, notSent: 0 });
  expect(code).toBe(10);
  const fired = await sandboxControl(stack.sandboxUrl).firedByRule();
  expect(fired.map((count) => count > 0)).toEqual(faults.map(() => true));
  await expectExactlyOnce(stack.sandboxUrl, dir, rows);
}

describe('a batch ends with the same result', () => {
  it('when every webhook is lost', () => pay([{ target: 'WEBHOOK', kind: 'drop' }]));

  it('when every webhook comes three times and out of order', () =>
    pay([
      { target: 'WEBHOOK', kind: 'duplicate', copies: 3 },
      { target: 'WEBHOOK', kind: 'shuffle', delayMs: 400 },
    ]));

  it('when only webhooks report the ends, because the next poll is far away', () =>
    pay([], { BURSAR_POLL_MIN_MS: '60000', BURSAR_POLL_MAX_MS: '300000' }));
});
