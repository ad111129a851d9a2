import { Client, Connection, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { TemporalPlace } from '../codec/temporal-place.ts';
import { housekeepingWorkflowId } from '../contract/housekeeping.ts';
import { SIGNAL_FUNDS, SIGNAL_HINT } from '../contract/names.ts';
import { MEMO_STORE } from '../contract/store.ts';
import { readStoreRef, type StoreRef } from '../domain/store/identity.ts';
import type { Told } from './outbox.ts';
import type { Temporal } from './postman.ts';

/** Time for one call. */
const CALL_MS_MAX = 3_000;
/** Time between two tries to connect; the default grows to minutes, in which hints would wait for nothing. */
const RECONNECT_MS_MIN = 500;
const RECONNECT_MS_MAX = 5_000;
/** gRPC's number for a request that the server will never accept: here, a run that takes no more signals. */
const INVALID_ARGUMENT = 3;

export type TemporalLink = Temporal &
  Readonly<{
    /** The store that the workers of a task queue use; undefined while no worker has written it down. */
    served(taskQueue: string): Promise<StoreRef | undefined>;
    close(): Promise<void>;
  }>;

/** Connects at the first call and again after every loss, so that the bridge works before and without Temporal. */
export function connectLazily({
  connectionOptions,
  namespace,
  dataConverter,
}: TemporalPlace): TemporalLink {
  const connection = Connection.lazy({
    ...connectionOptions,
    // Trying again is the forwarder's part, which knows what else waits; here it would only hide the reason.
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
    async signal(workflowId, hint): Promise<Told> {
      try {
        const handle = client.workflow.getHandle(workflowId);
        await inTime(() =>
          hint === null ? handle.signal(SIGNAL_FUNDS) : handle.signal(SIGNAL_HINT, hint),
        );
        return 'told';
      } catch (error) {
        if (isGone(error)) return 'gone';
        throw error;
      }
    },
    async ping(): Promise<void> {
      await inTime(() => connection.workflowService.getSystemInfo({}));
    },
    async served(taskQueue): Promise<StoreRef | undefined> {
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

/** Whether a signal can never arrive: its workflow has ended, or was told so much that it takes no more. */
function isGone(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  const cause = error instanceof Error ? error.cause : undefined;
  const code: number | undefined = isGrpcServiceError(cause) ? cause.code : undefined;
  return code === INVALID_ARGUMENT;
}
