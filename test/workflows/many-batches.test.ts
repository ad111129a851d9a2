import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../src/activities/shared/tracing.ts';
import { batchWorkflowId, WORKFLOW_BATCH } from '../../src/contract/names.ts';
import { WORKER_LIMITS } from '../../src/worker-limits.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { easyWorld, inputOf } from './support/played-batch.ts';

// The queue of Temporal and the cache of a worker are under test.
Runtime.install({ logger: new DefaultLogger('ERROR') });

const BATCHES = 5;
/** Workflows that this worker has in its memory: too few for all batches with their partitions. */
const CACHED = 3;

let connection: Connection;
let native: NativeConnection;
beforeAll(async () => {
  const { address } = sharedTemporal();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
});
afterAll(async () => {
  await native.close();
  await connection.close();
});

it('of many batches at once a worker has a few in its memory; the others wait in Temporal, and all are paid', async () => {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const place = { connection: native, namespace, taskQueue, workflowBundle };
  const limits = { ...WORKER_LIMITS, maxCachedWorkflows: CACHED };
  const { workflow } = new Client({ connection, namespace });
  const batchIds = Array.from({ length: BATCHES }, () => randomUUID());
  const handles = await Promise.all(
    batchIds.map((batchId) =>
      workflow.start(WORKFLOW_BATCH, {
        taskQueue,
        workflowId: batchWorkflowId(batchId),
        args: [inputOf(batchId)],
      }),
    ),
  );
  const worker = await Worker.create({
    ...place,
    activities: easyWorld(),
    sinks: runSinks(),
    ...limits,
  });
  let inMemory = 0;
  const sample = setInterval(() => {
    inMemory = Math.max(inMemory, worker.getStatus().numCachedWorkflows);
  }, 1);
  const ends = await worker.runUntil(() => Promise.all(handles.map(endOf)));
  clearInterval(sample);
  expect(ends).toEqual(batchIds.map(() => 'COMPLETED'));
  expect(inMemory).toBeGreaterThan(0);
  expect(inMemory).toBeLessThanOrEqual(CACHED);
});

const endOf = async (handle: WorkflowHandle): Promise<string> =>
  ((await handle.result()) as { state: string }).state;
