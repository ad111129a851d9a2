import { Connection, type ConnectionOptions } from '@temporalio/client';
import { isTooLate } from './failures.ts';
import { CALL_MS_MAX, CONNECT_MS_MAX } from './limits.ts';

/** How long to wait, in milliseconds: for a connection, and for the answer to a call. */
export type Patience = Readonly<{ connectMs: number; callMs: number }>;

const PATIENCE: Patience = { connectMs: CONNECT_MS_MAX, callMs: CALL_MS_MAX };

/**
 * Connects to Temporal. Fails soon when no server listens. A server that listens and is slow gets the time of any other
 * call. Throws the errors of the SDK.
 */
export async function connectTemporal(
  options: ConnectionOptions,
  { connectMs, callMs }: Patience = PATIENCE,
): Promise<Connection> {
  try {
    return await Connection.connect({ ...options, connectTimeout: connectMs });
  } catch (error) {
    if (!isTooLate(error)) throw error;
    return Connection.connect({ ...options, connectTimeout: callMs });
  }
}
