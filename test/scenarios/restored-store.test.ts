import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { partitionWorkflowId } from '../../src/contract/names.ts';
import { PARTITION_CHUNKS } from '../../src/domain/batch/partitions.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { ledgerWithdrawals, readPlainCsv, readReport, requestCount } from '../support/oracle.ts';
import { QUICK_FENCE } from '../support/quick-fence.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { attemptsIn, copyStore, lastEntryIn, restoreStore } from '../support/store-copy.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { servedStoreOf } from './support/store-batches.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

const CHUNK_ROWS = 10;
const CHUNKS = 50;
const LANES = 8;
/** Chunks are left when the first partition is settled and Temporal shows it, two seconds later. */
const MORE_THAN_A_PARTITION = PARTITION_CHUNKS + 40;
const FAIL_EVERY = 77;

type Story = Readonly<{
  chunks: number;
  stepMs: number;
  /** How long the service takes for a create, in milliseconds. */
  createMs: number;
  /** Creates after which the copy is taken, and after which it is brought back. */
  copyAfter: number;
  restoreAfter: number;
  /** How often housekeeping names the end of the audit log, in milliseconds. */
  watchMs?: number;
  /** What must have happened, too, before it is brought back. */
  until?(running: TestStack, copy: string): Promise<unknown>;
}>;

/** Submits a batch, takes a copy of its store, and brings it back later. */
async function submitAndRestore(story: Story) {
  const { chunks, stepMs, createMs, copyAfter, restoreAfter, watchMs = 60_000, until } = story;
  const folder = temporaryFolder();
  const rows = sampleRows({ rows: chunks * CHUNK_ROWS, failEvery: FAIL_EVERY });
  const running = await startTestStack({
    folder,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      // A chunk is verified for seconds: as many at a time as befits a test.
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: String(LANES),
      BURSAR_SANDBOX_DELAY_MS_CREATE: String(createMs),
      BURSAR_SANDBOX_STEP_MS: String(stepMs),
      BURSAR_WATCH_EVERY_MS: String(watchMs),
      ...QUICK_FENCE,
    },
  });
  stack = running;
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const creates = (count: number) =>
    eventually(`${count} creates`, async () =>
      (await requestCount(running.sandboxUrl, 'MASS_CREATE')) >= count ? true : undefined,
    );
  const { batchId } = running;
  expect((await running.bursar('submit', file, '--id', batchId, '--yes', '--detach')).code).toBe(8);
  await creates(copyAfter);
  const copy = copyStore(folder);
  await creates(restoreAfter);
  await until?.(running, copy);
  await running.stopOne('worker');
  await running.stopOne('bridge');
  expect(attemptsIn(copy)).toBeLessThan(await requestCount(running.sandboxUrl, 'MASS_CREATE'));
  restoreStore(folder, copy);
  await running.start('bridge');
  await running.start('worker');
  return { running, batchId, rows, dir: join(folder, 'runs', batchId) };
}

/** Waits for the end of a batch in which some rows fail; says who must look at what if it does not come to that. */
async function expectPartial(running: TestStack, batchId: string): Promise<void> {
  const { code, value } = await running.json('watch', batchId);
  const { state, needsOperator, holds, paidTwice } = value;
  expect({ code, state, needsOperator, holds, paidTwice }).toEqual({
    code: 10,
    state: 'PARTIAL',
    needsOperator: [],
    holds: [],
    paidTwice: [],
  });
}

/** Waits for the end, and compares it with the service: each row once, and each chunk sent once. */
async function expectPaidOnce(
  { running, batchId, rows, dir }: Awaited<ReturnType<typeof submitAndRestore>>,
  chunks: number,
): Promise<void> {
  await expectPartial(running, batchId);
  await expectExactlyOnce(running.sandboxUrl, dir, rows);
  expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(chunks);
}

/** What is created is settled before the copy is back. */
const SETTLED_SOON: Story = {
  chunks: CHUNKS,
  stepMs: 50,
  createMs: 800,
  copyAfter: 5,
  restoreAfter: 20,
};

/** How the runs of a workflow stand. */
async function runsOf(workflowId: string): Promise<string[]> {
  const { address } = sharedTemporal();
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const runs: string[] = [];
  for await (const { status } of workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    runs.push(status.name);
  }
  await connection.close();
  return runs;
}

describe('a store that is restored from an older copy in the middle of a batch', () => {
  it('adopts mass payouts that the copy lacks: the same result, nothing is sent twice', async () => {
    const restored = await submitAndRestore({
      ...SETTLED_SOON,
      // Nothing is settled before the copy is back.
      stepMs: 3_000,
    });
    await expectPaidOnce(restored, CHUNKS);
    const { rows, dir } = restored;
    const failed = Math.floor(rows.length / FAIL_EVERY);
    expect(readReport(dir).rows).toMatchObject({
      paid: rows.length - failed,
      failed,
      unknown: 0,
    });
  });

  it('adopts them also when they were settled since the copy was taken', async () => {
    await expectPaidOnce(await submitAndRestore(SETTLED_SOON), CHUNKS);
  });

  it('adopts them also when only its audit log shows the older copy, before anything is sent', async () => {
    const restored = await submitAndRestore({
      ...SETTLED_SOON,
      watchMs: 200,
      until: (of, copy) =>
        eventually('housekeeping names an entry that the copy lacks', async () => {
          const named = (await servedStoreOf(of))?.audit.seq ?? 0;
          return named > lastEntryIn(copy) || undefined;
        }),
    });
    await expectPaidOnce(restored, CHUNKS);
    const { out } = await restored.running.bursar('audit', '--all', '-o', 'json');
    expect(out).toMatch(/its audit log lacks entry \d+, which a worker had/);
    expect(out).not.toContain('as the service showed');
  });

  it('adopts them also with a partition that had ended since', async () => {
    const restored = await submitAndRestore({
      ...SETTLED_SOON,
      chunks: MORE_THAN_A_PARTITION,
      createMs: 400,
      restoreAfter: PARTITION_CHUNKS,
      until: (of) =>
        eventually('the first partition is settled', async () => {
          const [status] = await runsOf(partitionWorkflowId(of.batchId, 0));
          return status === 'COMPLETED' || undefined;
        }),
    });
    await expectPaidOnce(restored, MORE_THAN_A_PARTITION);
    // A list of Temporal's shows what has happened a little later.
    await eventually('the first partition has been run once more', async () => {
      const runs = await runsOf(partitionWorkflowId(restored.batchId, 0));
      return runs.join() === 'COMPLETED,COMPLETED' || undefined;
    });
  });

  it('calls nothing unpaid that was paid, when the batch is then canceled', async () => {
    const { running, batchId, rows, dir } = await submitAndRestore({
      ...SETTLED_SOON,
      // There is much left to cancel, however long the command takes.
      createMs: 2_000,
    });
    const canceled = await running.bursar('cancel', batchId, '--reason', 'the wrong month');
    expect(canceled.code).toBe(0);
    expect((await running.json('watch', batchId)).code).toBe(12);
    await expectExactlyOnce(running.sandboxUrl, dir, rows);
    const sent = (await ledgerWithdrawals(running.sandboxUrl)).filter(
      ({ state }) => state === 'COMPLETED',
    );
    const paid = new Set(sent.map(({ depositAddress }) => depositAddress));
    const again = readPlainCsv(join(dir, 'resend.csv')).map(([address = '']) => address);
    expect(again.filter((address) => paid.has(address))).toEqual([]);
  });
});
