import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { requestCount } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
afterEach(() => stack?.stop());

const CHUNK_ROWS = 2;
const LARGE_ROWS = 1_040;
const SMALL_ROWS = 20;
const rows = sampleRows({ rows: LARGE_ROWS + SMALL_ROWS });

it('a batch of 20 rows that is submitted beside a large one ends while the large one pays', async () => {
  const folder = temporaryFolder();
  stack = await startTestStack({
    folder,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '300',
    },
  });
  const running = stack;
  await running.startAnotherWorker();
  const submit = (batchId: string, of: typeof rows, ...flags: string[]) => {
    const file = join(folder, `${batchId}.csv`);
    writeSample(file, of);
    return running.json('submit', file, '--id', batchId, '--yes', ...flags);
  };
  const [large, small] = [running.batchId, newBatchId()];
  expect((await submit(large, rows.slice(0, LARGE_ROWS), '--detach')).code).toBe(8);
  await eventually('twenty creates', async () =>
    (await requestCount(running.sandboxUrl, 'MASS_CREATE')) >= 20 ? true : undefined,
  );
  const paid = await submit(small, rows.slice(LARGE_ROWS));
  expect([paid.code, paid.value['state']]).toEqual([0, 'COMPLETED']);
  const { value } = await running.json('status', large);
  expect(value['state']).toBe('PAYING');
});
