import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

let client: Client;
let native: NativeConnection;
let workflowBundle: WorkflowBundle;
beforeAll(async () => {
  const { address, namespace } = sharedTemporal();
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  native = await NativeConnection.connect({ address });
  const workflowsPath = fileURLToPath(new URL('./fixtures/telling.ts', import.meta.url));
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
});
afterAll(async () => {
  await native.close();
  await client.connection.close();
});

/** Runs a worker whose `tell` notes the keys that it was called with. */
async function withWorker<Result>(
  tell: (key: string) => Promise<void>,
  use: (taskQueue: string) => Promise<Result>,
): Promise<Result> {
  const taskQueue = randomUUID();
  const worker = await Worker.create({
    connection: native,
    namespace: client.options.namespace,
    taskQueue,
    workflowBundle,
    activities: { tell: ({ key }: { key: string }) => tell(key) },
  });
  return worker.runUntil(() => use(taskQueue));
}

it('a batch goes on when news cannot be written down', async () => {
  const tried: string[] = [];
  const tell = async (key: string): Promise<void> => {
    tried.push(key);
    throw ApplicationFailure.nonRetryable('the store is gone');
  };
  const result = await withWorker(tell, (taskQueue) =>
    client.workflow.execute('telling', { taskQueue, workflowId: taskQueue }),
  );
  expect(result).toBe('went on');
  expect(tried.sort()).toEqual(['1', '2']);
});

it('news that fail for a moment are told in the end', async () => {
  let failures = 0;
  const told: string[] = [];
  const tell = async (key: string): Promise<void> => {
    if (key === '1' && failures++ === 0) throw new Error('busy');
    told.push(key);
  };
  await withWorker(tell, (taskQueue) =>
    client.workflow.execute('telling', { taskQueue, workflowId: taskQueue }),
  );
  expect(told.sort()).toEqual(['1', '2']);
});

it('the end of a canceled workflow is told all the same', async () => {
  const told: string[] = [];
  const tell = async (key: string): Promise<void> => void told.push(key);
  await withWorker(tell, async (taskQueue) => {
    const options = { taskQueue, workflowId: taskQueue };
    const handle = await client.workflow.start('tellingItsEnd', options);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
  });
  expect(told).toEqual(['canceled']);
});
