import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
} from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { TemporalAccess } from '../../codec/temporal-access.ts';
import type { BatchResult } from '../../contract/batch.ts';
import {
  batchWorkflowId,
  partitionWorkflowId,
  QUERY_STATUS,
  SEARCH_ATTRIBUTES,
  SIGNAL_CONTROLS,
  UPDATE_APPROVE,
  UPDATE_CANCEL,
  UPDATE_PAUSE,
  UPDATE_RESOLVE,
  UPDATE_RESUME,
  WORKFLOW_BATCH,
} from '../../contract/names.ts';
import type { BatchStatus } from '../../contract/status.ts';
import { MEMO_STORE } from '../../contract/store.ts';
import { BATCH_STATES, type BatchState } from '../../domain/batch/batch-state.ts';
import { partitionOf } from '../../domain/batch/partitions.ts';
import {
  BursarError,
  type ErrorNote,
  isBursarError,
  noteOf,
} from '../../domain/errors/bursar-error.ts';
import { readStoreRef } from '../../domain/store/identity.ts';
import { connectTemporal, type Patience } from './connect.ts';
import type { Engine, Execution, RunningBatch } from './engine.ts';
import { ADDRESS_DEFAULT, CALL_MS_MAX, WORKER_SEEN_MS_MAX } from './limits.ts';
import type { Link } from './link.ts';
import { createRecoveryEngine } from './recovery.ts';
import { refreshEnds } from './refresh.ts';
import { failedTasksOf } from './stuck.ts';
import { isDown, isNotFound, refusalOf, unreachable } from './failures.ts';
import { refuseOtherKeys } from './same-keys.ts';
import { createScheduleEngine } from './schedules.ts';
import { servedStore, startHousekeeping, storesOfWorkers } from './served-store.ts';
import { startBatch } from './start-batch.ts';
import { hasWorker, seeWorker } from './worker-seen.ts';
import { isRefused, openValue } from '../../domain/encryption/clear-value.ts';

/** How long a query or an update may take, which also need a worker to answer, in milliseconds. */
const QUERY_MS_MAX = 2_000;
const UPDATE_MS_MAX = 15_000;

/** How long an update waits for a worker before it is sent, and the pause between two checks, in milliseconds. */
const WORKER_MS_MAX = 5_000;
const WORKER_LOOK_MS = 250;

const STATE = defineSearchAttributeKey('BursarState', SEARCH_ATTRIBUTES.BursarState);

/** The address of Temporal, and the task queue of our workers. */
export type EnginePlace = TemporalAccess & Readonly<{ taskQueue: string }>;

/** Connects to Temporal. Throws TEMPORAL_UNREACHABLE. */
export async function connectEngine(place: EnginePlace, patience?: Patience): Promise<Engine> {
  const { connectionOptions, namespace, dataConverter, isEncrypted, taskQueue } = place;
  const address = connectionOptions.address ?? ADDRESS_DEFAULT;
  const connection = await told(address, () => connectTemporal(connectionOptions, patience));
  const client = new Client({ connection, namespace, dataConverter });
  const inTime: Link['inTime'] = (call) => client.withDeadline(Date.now() + CALL_MS_MAX, call);
  const link = { client, address, taskQueue, inTime };
  const schedules = createScheduleEngine(link, (call) => told(address, call));
  // A call that only signals or queries goes to a workflow that was read before, with the same keys.
  const withSameKeys = <Result>(call: () => Promise<Result>): Promise<Result> =>
    told(address, async () => {
      if (!isEncrypted) await inTime(() => refuseOtherKeys(client, taskQueue));
      return call();
    });
  const isWorked = () => told(address, () => inTime(() => hasWorker(link)));
  return {
    start: (input, about) => withSameKeys(() => startBatch(link, { input, about }, 'never')),
    describe: (batchId) => told(address, () => describe(link, batchId)),
    status: (batchId) => told(address, () => queryStatus(link, batchId)),
    result: (batchId) => told(address, () => resultOf(link, batchId)),
    untilClosed: (batchId, signal) => untilClosed(link, batchId, signal),
    running: () => told(address, () => inTime(() => listRunning(link))),
    cancel: (batchId, act) => updateBatch(link, batchId, { name: UPDATE_CANCEL, argument: act }),
    pause: (batchId, act) => updateBatch(link, batchId, { name: UPDATE_PAUSE, argument: act }),
    resume: (batchId, act) => updateBatch(link, batchId, { name: UPDATE_RESUME, argument: act }),
    resolve: ({ batchId, partitionChunks }, answer) =>
      update(link, partitionWorkflowId(batchId, partitionOf(answer.chunk, partitionChunks)), {
        name: UPDATE_RESOLVE,
        argument: answer,
        whenGone: noteOf('CHUNK_NOT_WAITING', { batchId, chunk: String(answer.chunk) }),
      }),
    approve: (batchId, input) =>
      update(link, batchWorkflowId(batchId), {
        name: UPDATE_APPROVE,
        argument: input,
        whenGone: noteOf('BATCH_ENDED', { batchId, state: 'its workflow is closed' }),
      }),
    schedules: {
      ...schedules,
      put: (definition, about) => withSameKeys(() => schedules.put(definition, about)),
      demand: (scheduleId, demand, store) =>
        withSameKeys(() => schedules.demand(scheduleId, demand, store)),
    },
    recovery: createRecoveryEngine(link, withSameKeys),
    refresh: (batchId) =>
      withSameKeys(() => refreshEnds({ ...link, hasWorker: isWorked }, batchId)),
    hasWorker: isWorked,
    worker: (queue) => told(address, () => inTime(() => seeWorker({ ...link, taskQueue: queue }))),
    controlsWritten: (batchId) => told(address, () => inTime(() => signalControls(link, batchId))),
    served: () => told(address, () => inTime(() => servedStore(client, taskQueue))),
    storesAtWork: () =>
      told(address, () =>
        inTime(() => storesOfWorkers(client, taskQueue, Date.now() - WORKER_SEEN_MS_MAX)),
      ),
    serve: (store) =>
      withSameKeys(() =>
        inTime(() => startHousekeeping(client, { taskQueue, store }, 'TERMINATE_EXISTING')),
      ),
    close: () => connection.close(),
  };
}

async function told<Result>(address: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof BursarError ? error : unreachable(address, error);
  }
}

/** A workflow that has just closed has nothing left to stop. */
async function signalControls({ client }: Link, batchId: string): Promise<void> {
  try {
    await client.workflow.getHandle(batchWorkflowId(batchId)).signal(SIGNAL_CONTROLS);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function describe({ client, inTime }: Link, batchId: string): Promise<Execution | undefined> {
  try {
    const handle = client.workflow.getHandle(batchWorkflowId(batchId));
    return executionOf(await inTime(() => handle.describe()));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function executionOf(description: WorkflowExecutionDescription): Execution {
  const memo = description.memo ?? {};
  const of = (name: string): unknown => readClear(memo[name]);
  const [fileSha256, planDigest] = [of('fileSha256'), of('planDigest')];
  const [parentBatchId, generation] = [of('parentBatchId'), of('generation')];
  const isResend = typeof parentBatchId === 'string' && typeof generation === 'number';
  const failedTasks = failedTasksOf(description.raw);
  return {
    status: description.status.name,
    fileSha256: typeof fileSha256 === 'string' ? fileSha256 : undefined,
    ...(typeof planDigest === 'string' ? { planDigest } : {}),
    ...(isResend ? { resend: { parentBatchId, generation } } : {}),
    state: stateOf(description),
    taskQueue: description.taskQueue,
    ...(failedTasks === 0 ? {} : { failedTasks }),
    store: readStoreRef(description.memo?.[MEMO_STORE]),
  };
}

const stateOf = (
  execution: WorkflowExecutionInfo | WorkflowExecutionDescription,
): BatchState | undefined => {
  const shown = execution.typedSearchAttributes.get(STATE);
  return BATCH_STATES.find((state) => state === shown);
};

async function queryStatus({ client }: Link, batchId: string): Promise<BatchStatus | undefined> {
  try {
    const handle = client.workflow.getHandle(batchWorkflowId(batchId));
    const status = await client.withDeadline(Date.now() + QUERY_MS_MAX, () =>
      handle.query<BatchStatus>(QUERY_STATUS),
    );
    return requireSealed(status);
  } catch (error) {
    if (isDown(error) || isBursarError(error)) throw error;
    // There is no worker, it is busy, or it cannot read this history: Temporal's own message is shown.
    return undefined;
  }
}

const resultOf = async ({ client, inTime }: Link, batchId: string): Promise<BatchResult> =>
  requireSealed(await inTime(() => client.workflow.getHandle(batchWorkflowId(batchId)).result()));

function untilClosed({ client }: Link, batchId: string, signal: AbortSignal): Promise<void> {
  // The SDK polls every minute and adds a listener to the signal each time. Node.js takes eleven listeners for a leak.
  setMaxListeners(0, signal);
  return client
    .withAbortSignal(signal, () => client.workflow.getHandle(batchWorkflowId(batchId)).result())
    .then(ignore, ignore);
}

/** Another function reads how the workflow closed. */
const ignore = (): void => undefined;

async function listRunning({ client }: Link) {
  const query = `WorkflowType = '${WORKFLOW_BATCH}' AND ExecutionStatus = 'Running'`;
  const found = new Map<string, RunningBatch>();
  const prefix = batchWorkflowId('');
  for await (const execution of client.workflow.list({ query })) {
    const { workflowId, taskQueue } = execution;
    found.set(workflowId.slice(prefix.length), { state: stateOf(execution), taskQueue });
  }
  return found;
}

type AddressedLink = Link & Readonly<{ address: string }>;

type Update = Readonly<{ name: string; argument: unknown }>;

const updateBatch = (
  link: AddressedLink,
  batchId: string,
  asked: Update,
): Promise<ErrorNote | null> =>
  update(link, batchWorkflowId(batchId), {
    ...asked,
    whenGone: noteOf('BATCH_ENDED', { batchId, state: 'its workflow is closed' }),
  });

/**
 * Updates need a worker, and an update that was sent cannot be taken back: Temporal keeps it for the worker that comes next. Without a
 * worker it is not sent, so that a command that was refused changes nothing later. Throws WORKER_SILENT.
 */
async function update(
  link: AddressedLink,
  workflowId: string,
  { name, argument, whenGone }: Update & Readonly<{ whenGone: ErrorNote }>,
): Promise<ErrorNote | null> {
  const { client, address, taskQueue } = link;
  await untilWorker(link);
  try {
    await client.withDeadline(Date.now() + UPDATE_MS_MAX, () =>
      client.workflow.getHandle(workflowId).executeUpdate(name, { args: [argument] }),
    );
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal;
    if (isNotFound(error)) return whenGone;
    if (isBursarError(error)) throw error;
    if (isDown(error)) throw unreachable(address, error);
    throw new BursarError('WORKER_SILENT', { taskQueue, isSent: true }, { cause: error });
  }
}

/** Waits some seconds for a worker, which may have been started just now. Throws WORKER_SILENT, TEMPORAL_UNREACHABLE. */
async function untilWorker(link: AddressedLink): Promise<void> {
  const { address, taskQueue, inTime } = link;
  const deadlineMs = Date.now() + WORKER_MS_MAX;
  for (;;) {
    const { answers } = await told(address, () => inTime(() => seeWorker(link)));
    if (answers) return;
    if (Date.now() >= deadlineMs)
      throw new BursarError('WORKER_SILENT', { taskQueue, isSent: false });
    await setTimeout(WORKER_LOOK_MS);
  }
}

/** The result of a workflow. Throws PAYLOAD_IN_CLEAR when no worker with our keys can have written it. */
function requireSealed<Value>(given: Value): Value {
  if (isRefused(given)) throw new BursarError('PAYLOAD_IN_CLEAR', {});
  return openValue(given) as Value;
}

/** A value of a memo, which the starter of a workflow writes; undefined when it must have no effect. */
const readClear = (given: unknown): unknown => (isRefused(given) ? undefined : openValue(given));
