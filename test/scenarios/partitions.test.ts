import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { PARTITION_CHUNKS } from '../../src/domain/batch/partitions.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { readReport, requestCount } from '../support/oracle.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import { SHORT_WINDOW } from '../support/quick-fence.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
let temporal: OwnTemporal | undefined;
let connection: Connection | undefined;
afterEach(async () => {
  await connection?.close();
  await stack?.stop();
  await temporal?.stop();
});

const CHUNK_ROWS = 2;
/** More than one partition has. */
const CHUNKS = PARTITION_CHUNKS + 20;
const rows = sampleRows({ rows: CHUNKS * CHUNK_ROWS, failEvery: 99 });

/** Starts a batch of two partitions. */
async function start(...serverArgs: string[]) {
  const folder = temporaryFolder();
  temporal = await startOwnTemporal(folder, ...serverArgs);
  stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_SANDBOX_STEP_MS: '300',
      ...SHORT_WINDOW,
    },
  });
  connection = await Connection.connect({ address: temporal.address });
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const started = await stack.bursar('submit', file, '--id', stack.batchId, '--yes', '--detach');
  expect(started.code).toBe(8);
  return { stack, client: new Client({ connection }), dir: join(folder, 'runs', stack.batchId) };
}

async function expectTheUsualEnd(running: TestStack, dir: string): Promise<void> {
  const { code } = await running.json('watch', running.batchId);
  expect(code).toBe(10);
  expect(readReport(dir).rows).toMatchObject({ total: 1_040, failed: 10, paid: 1_030 });
  await expectExactlyOnce(running.sandboxUrl, dir, rows);
}

it('a partition whose history grows long goes on in new runs, and nothing is sent twice', async () => {
  const {
    stack: running,
    client,
    dir,
  } = await start(...['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=20']);
  await expectTheUsualEnd(running, dir);
  const runs = new Set<string>();
  const query = `WorkflowId = '${partitionWorkflowId(running.batchId, 0)}'`;
  for await (const { runId } of client.workflow.list({ query })) runs.add(runId);
  expect(runs.size).toBeGreaterThan(1);
});

it('a terminated partition is started again, and nothing is sent twice', async () => {
  const { stack: running, client, dir } = await start();
  await eventually('twenty creates', async () =>
    (await requestCount(running.sandboxUrl, 'MASS_CREATE')) >= 20 ? true : undefined,
  );
  await client.workflow.getHandle(partitionWorkflowId(running.batchId, 0)).terminate('a slip');
  await expectTheUsualEnd(running, dir);
});

it('a batch that is reset waits for the chunks that its former run had begun', async () => {
  const { stack: running, client, dir } = await start();
  const batch = client.workflow.getHandle(batchWorkflowId(running.batchId));
  await eventually('twenty creates', async () =>
    (await requestCount(running.sandboxUrl, 'MASS_CREATE')) >= 20 ? true : undefined,
  );
  const { runId } = await batch.describe();
  const { events } = await batch.fetchHistory();
  const firstTaskEnd = events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId;
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: batchWorkflowId(running.batchId), runId },
    reason: 'a slip',
    requestId: running.batchId,
    workflowTaskFinishEventId: firstTaskEnd ?? null,
  });
  await expectTheUsualEnd(running, dir);
});

it('a batch that is canceled in the tools of Temporal sends nothing more, and reports the sent chunks', async () => {
  const { stack: running, client, dir } = await start();
  await eventually('twenty creates', async () =>
    (await requestCount(running.sandboxUrl, 'MASS_CREATE')) >= 20 ? true : undefined,
  );
  await client.workflow.getHandle(batchWorkflowId(running.batchId)).cancel();
  const { code, value } = await running.json('watch', running.batchId);
  expect([code, value['state']]).toEqual([12, 'CANCELED']);
  expect((value['rows'] as { notSent: number }).notSent).toBeGreaterThan(0);
  await expectExactlyOnce(running.sandboxUrl, dir, rows);
});
