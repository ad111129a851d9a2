import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';

jest.setTimeout(600_000);

// A server: only Temporal decides which version of the workers gets a task.
const deploymentName = `bursar-${randomUUID()}`;
const namespace = 'default';

let stack: TestStack;
let temporal: Client;

beforeAll(async () => {
  stack = await startTestStack({
    folder: temporaryFolder(),
    without: ['worker'],
    env: {
      BURSAR_WORKER_DEPLOYMENT: deploymentName,
      BURSAR_BATCH_CHUNK_ROWS: '2',
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '1',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '500',
    },
  });
  temporal = new Client({
    connection: await Connection.connect({ address: sharedTemporal().address }),
  });
});
afterAll(async () => {
  await temporal.connection.close();
  await stack.stop();
});

const startBuild = (buildId: string) =>
  stack.startElsewhere('worker', { BURSAR_WORKER_BUILD_ID: buildId });

/** Temporal has a version from the first poll of its workers on. */
const makeCurrent = (buildId: string) =>
  eventually(`build ${buildId} is the current one`, async () => {
    try {
      await temporal.workflowService.setWorkerDeploymentCurrentVersion({
        namespace,
        deploymentName,
        buildId,
      });
      return true;
    } catch {
      return undefined;
    }
  });

async function versionOf(workflowId: string) {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  const info = raw.workflowExecutionInfo?.versioningInfo;
  return { buildId: info?.deploymentVersion?.buildId, status: raw.workflowExecutionInfo?.status };
}

it('a batch goes to the new version of the workers, its partition ends on the old one, and each row is paid once', async () => {
  const first = await startBuild('1');
  await eventually('it waits to become the current version', () =>
    first.output().includes('set-current-version') ? true : undefined,
  );
  await makeCurrent('1');

  const { batchId } = stack;
  const rows = sampleRows({ rows: 60, currencies: ['USDT_TRC20'] });
  const file = join(stack.folder, 'rows.csv');
  writeSample(file, rows);
  expect((await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach')).code).toBe(8);
  const partition = partitionWorkflowId(batchId, 0);
  await eventually('the first version pays', async () => {
    const { value } = await stack.json('status', batchId);
    return (value['rows'] as { paid: number }).paid > 0 || undefined;
  });

  // It would otherwise be paid before the second version works.
  expect((await stack.bursar('pause', batchId, '--reason', 'a test')).code).toBe(0);
  await startBuild('2');
  await makeCurrent('2');
  expect((await stack.bursar('resume', batchId, '--reason', 'a test')).code).toBe(0);
  await eventually('the batch is on the second version', async () =>
    (await versionOf(batchWorkflowId(batchId))).buildId === '2' ? true : undefined,
  );
  expect((await versionOf(partition)).buildId).toBe('1');

  const { code, value } = await stack.json('watch', batchId);
  expect([code, value['state']]).toEqual([0, 'COMPLETED']);
  expect((await versionOf(partition)).buildId).toBe('1');
  await expectExactlyOnce(stack.sandboxUrl, join(stack.folder, 'runs', batchId), rows);
});
