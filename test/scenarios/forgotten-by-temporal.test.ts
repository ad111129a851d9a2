import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
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
afterEach(async () => {
  await stack?.stop();
  await temporal?.stop();
});

const CHUNK_ROWS = 10;
/** They are one partition; `partitions.test.ts` has batches of several. */
const CHUNKS = 130;
const rows = sampleRows({ rows: CHUNKS * CHUNK_ROWS, failEvery: 99 });

/** Submits a batch and waits until a part of it was sent. */
async function submitHalf() {
  const folder = temporaryFolder();
  const server = await startOwnTemporal(folder);
  temporal = server;
  const running = await startTestStack({
    folder,
    temporalAddress: server.address,
    env: {
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '60',
      ...SHORT_WINDOW,
    },
  });
  stack = running;
  const file = join(folder, 'payroll.csv');
  writeSample(file, rows);
  const submit = () => running.bursar('submit', file, '--id', running.batchId, '--yes', '--detach');
  expect((await submit()).code).toBe(8);
  await eventually('forty creates', async () =>
    (await requestCount(running.sandboxUrl, 'MASS_CREATE')) >= 40 ? true : undefined,
  );
  return { folder, server, running, submit };
}

async function recoverRefused(
  running: TestStack,
  submit: () => ReturnType<TestStack['bursar']>,
): Promise<void> {
  const again = await submit();
  expect([again.code, again.err]).toEqual([14, expect.stringContaining('bursar recover')]);
  expect((await running.bursar('recover', running.batchId, '--yes')).code).toBe(0);
}

async function isGone(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).describe();
    return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}

/** The batch ends as if nothing had happened: each chunk was sent once, and each row was paid once. */
async function expectTheUsualEnd(running: TestStack): Promise<void> {
  const { code, value } = await running.json('watch', running.batchId);
  expect([code, value['state']]).toEqual([10, 'PARTIAL']);
  const dir = join(running.folder, 'runs', running.batchId);
  expect(readReport(dir).rows).toMatchObject({ total: 1_300, failed: 13, paid: 1_287 });
  await expectExactlyOnce(running.sandboxUrl, dir, rows);
  expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(CHUNKS);
}

describe('a batch that Temporal forgot is refused when the same file is submitted again, and goes on where it was when it is recovered', () => {
  it('after the database of Temporal was lost', async () => {
    const { folder, server, running, submit } = await submitHalf();
    await running.stopOne('worker');
    await server.kill();
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(join(folder, `temporal.db${suffix}`), { force: true });
    }
    await server.start();
    await running.start('worker');
    await recoverRefused(running, submit);
    await expectTheUsualEnd(running);
  });

  it.each([
    ['the workflows of the batch and its partition were', ['batch', 'partition']],
    ['only the workflow of the batch was', ['batch']],
  ])('after %s deleted', async (_what, deleted) => {
    const { server, running, submit } = await submitHalf();
    const connection = await Connection.connect({ address: server.address });
    const client = new Client({ connection });
    const ids = {
      batch: batchWorkflowId(running.batchId),
      partition: partitionWorkflowId(running.batchId, 0),
    };
    for (const name of deleted) {
      const workflowId = ids[name as keyof typeof ids];
      await client.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId },
      });
      await eventually(
        `${workflowId} is gone`,
        async () => (await isGone(client, workflowId)) || undefined,
      );
    }
    await connection.close();
    await recoverRefused(running, submit);
    await expectTheUsualEnd(running);
  });
});
