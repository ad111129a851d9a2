import { Client, Connection, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { TemporalAccess } from '../codec/temporal-access.ts';
import { housekeepingWorkflowId } from '../contract/housekeeping.ts';
import { SIGNAL_FUNDS, SIGNAL_HINT } from '../contract/names.ts';
import { MEMO_STORE } from '../contract/store.ts';
import { readStoreRef, type StoreRef } from '../domain/store/identity.ts';
import type { SignalClient } from './signal-dispatcher.ts';
import type { SignalResult } from './signal-queue.ts';

/** Deadline of one call. */
const CALL_MS_MAX = 3_000;
/**
 * Time between two tries to connect. By default it grows to minutes, and hints would wait as long.
 */
const RECONNECT_MS_MIN = 500;
const RECONNECT_MS_MAX = 5_000;
/** gRPC status of a request that Temporal never accepts: the history takes no more signals. */
const INVALID_ARGUMENT = 3;

export type BridgeTemporalClient = SignalClient &
  Readonly<{
    /**
     * Returns the store that the workers of a task queue use, or undefined before the first worker.
     */
    readServedStore(taskQueue: string): Promise<StoreRef | undefined>;
    close(): Promise<void>;
  }>;

/**
 * Returns a client that connects at its first call, so that the bridge also starts without
 * Temporal.
 */
export function connectLazily({
  connectionOptions,
  namespace,
  dataConverter,
}: TemporalAccess): BridgeTemporalClient {
  const connection = Connection.lazy({
    ...connectionOptions,
    // The dispatcher retries. A retry in the client would hide the reason of the failure from it.
    interceptors: [],
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': RECONNECT_MS_MIN,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MS_MAX,
    },
  });
  const client = new Client({ connection, namespace, dataConverter });
  const inTime = <Result>(call: () => Promise<Result>): Promise<Result> =>
    connection.withDeadline(Date.now() + CALL_MS_MAX, call);

  return {
    async signal(workflowId, hint): Promise<SignalResult> {
      try {
        const handle = client.workflow.getHandle(workflowId);
        await inTime(() =>
          hint === null ? handle.signal(SIGNAL_FUNDS) : handle.signal(SIGNAL_HINT, hint),
        );
        return 'delivered';
      } catch (error) {
        if (isGone(error)) return 'gone';
        throw error;
      }
    },
    async ping(): Promise<void> {
      await inTime(() => connection.workflowService.getSystemInfo({}));
    },
    async readServedStore(taskQueue): Promise<StoreRef | undefined> {
      try {
        const handle = client.workflow.getHandle(housekeepingWorkflowId(taskQueue));
        const { memo, status } = await inTime(() => handle.describe());
        return status.name === 'RUNNING' ? readStoreRef(memo?.[MEMO_STORE]) : undefined;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

/**
 * Whether the signal can never arrive: the workflow has ended, or its history is full of signals.
 */
function isGone(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  const cause = error instanceof Error ? error.cause : undefined;
  const code: number | undefined = isGrpcServiceError(cause) ? cause.code : undefined;
  return code === INVALID_ARGUMENT;
}
