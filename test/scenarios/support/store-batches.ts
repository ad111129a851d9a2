import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { batchWorkflowId } from '../../../src/contract/names.ts';
import type { StoreRef } from '../../../src/domain/store/identity.ts';
import { servedStore } from '../../../src/operations/engine/served-store.ts';
import { eventually } from '../../support/eventually.ts';
import { expectExactlyOnce } from '../../support/exactly-once.ts';
import { requestCount } from '../../support/oracle.ts';
import { QUICK_FENCE } from '../../support/quick-fence.ts';
import { type SampleRow, sampleRows, writeSample } from '../../support/sample-file.ts';
import { sharedTemporal } from '../../support/temporal/shared-temporal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../../support/test-stack.ts';

const CHUNK_ROWS = 2;
const CHUNKS = 16;
const NEEDS_OPERATOR = defineSearchAttributeKey('BursarNeedsOperator', 'BOOL');

/** A stack whose batches take seconds, and whose housekeeping runs every second. */
const startSlowStack = (without: readonly 'worker'[] = []): Promise<TestStack> =>
  startTestStack({
    folder: temporaryFolder(),
    without,
    env: {
      ...QUICK_FENCE,
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '2',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '300',
      BURSAR_WATCH_EVERY_MS: '1000',
    },
  });

/** Runs a test on a stack of its own, so that tests of a file, which mostly wait, can run side by side. */
export async function onSlowStack(
  test: (running: TestStack) => Promise<void>,
  without: readonly 'worker'[] = [],
): Promise<void> {
  const running = await startSlowStack(without);
  try {
    await test(running);
  } catch (error) {
    await running.stop({ isTampered: true });
    throw error;
  }
  await running.stop();
}

export type StartedBatch = Readonly<{ batchId: string; rows: readonly SampleRow[] }>;

/** Submits batches of the same number of chunks; every `failEvery`th row fails. */
export async function begin(
  running: TestStack,
  count: number,
  failEvery = 0,
): Promise<StartedBatch[]> {
  const batches: StartedBatch[] = [];
  for (let at = 0; at < count; at += 1) {
    const batchId = newBatchId();
    const rows = sampleRows({
      rows: CHUNKS * CHUNK_ROWS,
      from: at * CHUNKS * CHUNK_ROWS,
      failEvery,
      currencies: ['USDT_TRC20'],
    });
    const file = join(running.folder, `${batchId}.csv`);
    writeSample(file, rows);
    const { code, err } = await running.bursar(
      'submit',
      file,
      '--id',
      batchId,
      '--yes',
      '--detach',
    );
    expect([code, err]).toEqual([8, expect.any(String)]);
    batches.push({ batchId, rows });
  }
  return batches;
}

/** How Temporal shows the workflow of a batch. */
async function shown({ batchId }: StartedBatch) {
  const connection = await Connection.connect({ address: sharedTemporal().address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(batchWorkflowId(batchId));
    const { status, typedSearchAttributes } = await handle.describe();
    return { status: status.name, flag: typedSearchAttributes.get(NEEDS_OPERATOR) };
  } finally {
    await connection.close();
  }
}

/** The store of a stack, as housekeeping keeps it in Temporal. */
export async function servedStoreOf({ env }: TestStack): Promise<StoreRef | undefined> {
  const connection = await Connection.connect({ address: sharedTemporal().address });
  try {
    return await servedStore(new Client({ connection }), env.BURSAR_TASK_QUEUE);
  } finally {
    await connection.close();
  }
}

/** Waits until Temporal shows whether the batch needs an operator. */
export const isFlagged = (batch: StartedBatch, flag: boolean) =>
  eventually(
    `the flag of ${batch.batchId} is ${flag}`,
    async () => (await shown(batch)).flag === flag || undefined,
  );

/** Waits for the end of batches, and compares them with the service: each chunk was sent once. */
export async function expectCompleted(
  running: TestStack,
  batches: readonly StartedBatch[],
): Promise<void> {
  for (const { batchId } of batches) {
    const { code, value } = await running.json('watch', batchId);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
  }
  const all = batches.flatMap(({ rows }) => rows);
  const dirs = batches.map(({ batchId }) => join(running.folder, 'runs', batchId));
  expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(batches.length * CHUNKS);
  if (batches.length === 1) await expectExactlyOnce(running.sandboxUrl, dirs[0] ?? '', [...all]);
}

/** Repeats a command while a worker is listed with its store: Temporal lists one that ended for a while. */
export const onceNotAtWork = (command: () => ReturnType<TestStack['json']>) =>
  eventually('no worker is listed with the other store', async () => {
    const ran = await command();
    return ran.value['code'] === 'STORE_AT_WORK' ? undefined : ran;
  });
