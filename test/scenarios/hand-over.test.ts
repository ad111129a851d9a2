import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { openStore } from '../../src/store/index.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { requestCount } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { writableDb } from '../../src/store/database/writable.ts';

jest.setTimeout(600_000);

/** So many that each worker is stopped long before the last of them, however slow the looks at it are. */
const CHUNKS = 120;

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

/** How many sends there were; each of them ended with an answer. What a busy machine gave up before it left is none. */
async function sendsOf(folder: string): Promise<number> {
  const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
  try {
    const attempts = await writableDb(store)
      .selectFrom('attempt')
      .select('outcome')
      .where('outcome', '<>', 'VOID')
      .execute();
    expect([...new Set(attempts.map(({ outcome }) => outcome))]).toEqual(['ACCEPTED']);
    return attempts.length;
  } finally {
    await store.close();
  }
}

it('SIGTERM: a worker finishes its work in hand, and the next one goes on; nothing is ever ambiguous', async () => {
  const folder = temporaryFolder();
  stack = await startTestStack({
    folder,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: '10',
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
      // There is always a create on its way.
      BURSAR_SANDBOX_DELAY_MS_CREATE: '500',
    },
  });
  const { sandboxUrl, batchId } = stack;
  const rows = sampleRows({ rows: CHUNKS * 10, failEvery: 101 });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach');
  for (const creates of [5, 20]) {
    await eventually(`${creates} creates`, async () =>
      (await requestCount(sandboxUrl, 'MASS_CREATE')) >= creates ? true : undefined,
    );
    await stack.stopOne('worker');
    const seen = await requestCount(sandboxUrl, 'MASS_CREATE');
    expect(seen).toBeLessThan(CHUNKS);
    await stack.start('worker');
  }
  expect((await stack.json('watch', batchId)).value['state']).toBe('PARTIAL');
  await expectExactlyOnce(sandboxUrl, join(folder, 'runs', batchId), rows);
  await stack.stop();
  expect(await sendsOf(folder)).toBe(CHUNKS);
});
