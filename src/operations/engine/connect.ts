import {
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import { isTooLate } from './failures.ts';
import { CALL_MS_MAX, CONNECT_MS_MAX } from './limits.ts';

/**
 * How long to wait, in milliseconds: for a connection, and for the answer to a call. `connectMs: 0`: the connection is
 * tried once, so that an address where no server listens fails at once.
 */
export type Patience = Readonly<{ connectMs: number; callMs: number }>;

/** gRPC's number for a call that an old server does not have. */
const UNIMPLEMENTED = 12;

const PATIENCE: Patience = { connectMs: CONNECT_MS_MAX, callMs: CALL_MS_MAX };

/**
 * Connects to Temporal. Fails soon when no server listens. A server that listens and is slow gets the time of any other
 * call. Throws the errors of the SDK.
 */
export async function connectTemporal(
  options: ConnectionOptions,
  { connectMs, callMs }: Patience = PATIENCE,
): Promise<Connection> {
  if (connectMs === 0) return connectOnce(options, callMs);
  try {
    return await Connection.connect({ ...options, connectTimeout: connectMs });
  } catch (error) {
    if (!isTooLate(error)) throw error;
    return Connection.connect({ ...options, connectTimeout: callMs });
  }
}

/** The SDK tries a refused call again for many seconds. Here it does so only once a server has answered. */
async function connectOnce(options: ConnectionOptions, callMs: number): Promise<Connection> {
  let hasAnswered = false;
  const usual = defaultGrpcRetryOptions();
  const retry = makeGrpcRetryInterceptor({
    ...usual,
    retryableDecider: (attempt, status) => hasAnswered && usual.retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({
    ...options,
    connectTimeout: callMs,
    interceptors: [...(options.interceptors ?? []), retry],
  });
  try {
    await connection.withDeadline(Date.now() + callMs, () =>
      connection.workflowService.getSystemInfo({}),
    );
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code !== UNIMPLEMENTED) {
      await connection.close();
      throw error;
    }
  }
  hasAnswered = true;
  return connection;
}
