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
import { runSinks } from '../../src/activities/shared/tracing.ts';
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
  const workflowsPath = fileURLToPath(new URL('./fixtures/notifying.ts', import.meta.url));
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
});
afterAll(async () => {
  await native.close();
  await client.connection.close();
});

/** Runs a worker whose activity `tell` receives the key of each notification. */
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
    sinks: runSinks(),
    activities: { tell: ({ key }: { key: string }) => tell(key) },
  });
  return worker.runUntil(() => use(taskQueue));
}

it('a batch goes on when a notification cannot be recorded', async () => {
  const tried: string[] = [];
  const tell = async (key: string): Promise<void> => {
    tried.push(key);
    throw ApplicationFailure.nonRetryable('the store is gone');
  };
  const result = await withWorker(tell, (taskQueue) =>
    client.workflow.execute('notifying', { taskQueue, workflowId: taskQueue }),
  );
  expect(result).toBe('went on');
  expect(tried.sort()).toEqual(['1', '2']);
});

it('a notification that fails for a moment is recorded in the end', async () => {
  let failures = 0;
  const recorded: string[] = [];
  const tell = async (key: string): Promise<void> => {
    if (key === '1' && failures++ === 0) throw new Error('busy');
    recorded.push(key);
  };
  await withWorker(tell, (taskQueue) =>
    client.workflow.execute('notifying', { taskQueue, workflowId: taskQueue }),
  );
  expect(recorded.sort()).toEqual(['1', '2']);
});

it('people are notified of the end of a canceled workflow', async () => {
  const recorded: string[] = [];
  const tell = async (key: string): Promise<void> => void recorded.push(key);
  await withWorker(tell, async (taskQueue) => {
    const options = { taskQueue, workflowId: taskQueue };
    const handle = await client.workflow.start('notifyingItsEnd', options);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
  });
  expect(recorded).toEqual(['canceled']);
});
