import { Client } from '@temporalio/client';
import { housekeepingWorkflowId, SIGNAL_WATCH_NOW } from '../../contract/housekeeping.ts';
import { connectTemporal } from './connect.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import { isNotFound, unreachable } from './failures.ts';
import { servedStore } from './served-store.ts';
import { type StuckWorkflow, stuckWorkflows } from './stuck.ts';
import { temporalAccess, type TemporalExposure } from './temporal-access.ts';
import { ACTIVITY_QUEUE, pollersOf, WORKFLOW_QUEUE } from './worker-seen.ts';
import type { EnginePlace } from './temporal-engine.ts';
import { ADDRESS_DEFAULT, CALL_MS_MAX, WORKER_SEEN_MS_MAX } from './limits.ts';

/** The set-up of a namespace, and the workers in it. */
export type NamespaceFacts = Readonly<{
  address: string;
  namespace: string;
  /** How long the server keeps closed workflows, in milliseconds; null when it does not return that. */
  retentionMs: number | null;
  /** Types by name; null when they may not be read, as on Temporal Cloud. */
  searchAttributes: ReadonlyMap<string, string> | null;
  /** Whether a worker of each kind polled a short time ago. */
  workers: Readonly<{ workflows: boolean; activities: boolean }>;
  access: TemporalExposure;
  /** Workflows of the task queue that no worker can carry on. */
  stuck: readonly StuckWorkflow[];
  /** The store that the workers use; undefined while no worker has written it down. */
  served: StoreRef | undefined;
}>;

export type NamespaceClient = Readonly<{
  read(): Promise<NamespaceFacts>;
  /** Starts the rounds of housekeeping now. Returns false when housekeeping does not run. */
  callHousekeeping(): Promise<boolean>;
  close(): Promise<void>;
}>;

/** Connects to read the namespace itself. Throws TEMPORAL_UNREACHABLE. */
export async function openNamespaceClient(place: EnginePlace): Promise<NamespaceClient> {
  const { connectionOptions, namespace, dataConverter, taskQueue } = place;
  const address = connectionOptions.address ?? ADDRESS_DEFAULT;
  const told = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      throw unreachable(address, error);
    }
  };
  const connection = await told(() => connectTemporal(connectionOptions));
  const client = new Client({ connection, namespace, dataConverter });
  const inTime = <Result>(call: () => Promise<Result>): Promise<Result> =>
    connection.withDeadline(Date.now() + CALL_MS_MAX, call);
  return {
    read: () =>
      told(() =>
        inTime(async () => ({
          address,
          access: await temporalAccess(connectionOptions, namespace),
          ...(await readFacts(client, taskQueue)),
        })),
      ),
    callHousekeeping: () => told(() => inTime(() => callHousekeeping(client, taskQueue))),
    close: () => connection.close(),
  };
}

async function readFacts(client: Client, taskQueue: string) {
  const { namespace } = client.options;
  const { config } = await client.workflowService.describeNamespace({ namespace });
  const retention = config?.workflowExecutionRetentionTtl?.seconds;
  return {
    namespace,
    retentionMs: retention === undefined || retention === null ? null : Number(retention) * 1_000,
    searchAttributes: await readAttributes(client),
    workers: {
      workflows: await hasPoller(client, taskQueue, WORKFLOW_QUEUE),
      activities: await hasPoller(client, taskQueue, ACTIVITY_QUEUE),
    },
    served: await servedStore(client, taskQueue),
    stuck: await stuckWorkflows(client, taskQueue),
  };
}

/** Names of the types by the numbers of Temporal's API. */
const TYPES = [
  'UNSPECIFIED',
  'TEXT',
  'KEYWORD',
  'INT',
  'DOUBLE',
  'BOOL',
  'DATETIME',
  'KEYWORD_LIST',
] as const;

/** Some servers do not list them. Then the workflow that needs a missing attribute reports it. */
async function readAttributes(client: Client): Promise<ReadonlyMap<string, string> | null> {
  const { namespace } = client.options;
  try {
    const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
      namespace,
    });
    return new Map(
      Object.entries(customAttributes ?? {}).map(([name, type]) => [name, TYPES[type] ?? '']),
    );
  } catch {
    return null;
  }
}

async function hasPoller(client: Client, taskQueue: string, taskQueueType: number) {
  const pollers = await pollersOf(client, taskQueue, taskQueueType);
  return pollers.some(({ seenMs }) => Date.now() - seenMs < WORKER_SEEN_MS_MAX);
}

async function callHousekeeping(client: Client, taskQueue: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(housekeepingWorkflowId(taskQueue)).signal(SIGNAL_WATCH_NOW);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
