import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { HEARTBEAT_INTERVAL_MS } from '../../src/contract/heartbeat.ts';
import { WORKER_LIMITS } from '../../src/worker-limits.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

it('a worker that was frozen in a workflow task has an hour for it, and sends its heartbeats', async () => {
  const { address, namespace, workflowBundle } = sharedTemporal();
  const connection = await NativeConnection.connect({ address });
  const taskQueue = randomUUID();
  const place = { connection, namespace, taskQueue, workflowBundle };
  const worker = await Worker.create({ ...place, ...WORKER_LIMITS });
  // What it was made with, and not only what we asked for: the option is not in the types of the SDK.
  const { isolateExecutionTimeoutMs, maxHeartbeatThrottleIntervalMs } = worker.options;
  await worker.runUntil(Promise.resolve());
  await connection.close();
  expect(isolateExecutionTimeoutMs).toBe(3_600_000);
  expect(maxHeartbeatThrottleIntervalMs).toBe(HEARTBEAT_INTERVAL_MS);
});

it('a worker takes four steps of workflows at a time, so that each is done within its time', () => {
  const { maxConcurrentWorkflowTaskExecutions, maxCachedWorkflows } = WORKER_LIMITS;
  expect([maxConcurrentWorkflowTaskExecutions, maxCachedWorkflows]).toEqual([4, 500]);
});
