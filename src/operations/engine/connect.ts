import { Connection, type ConnectionOptions } from '@temporalio/client';
import { isTooLate } from './failures.ts';
import { CALL_MS_MAX, CONNECT_MS_MAX } from './limits.ts';

/** How long to wait, in milliseconds: for somebody who listens, and for the answer of one who does. */
export type Patience = Readonly<{ connectMs: number; callMs: number }>;

const PATIENCE: Patience = { connectMs: CONNECT_MS_MAX, callMs: CALL_MS_MAX };

/**
 * Connects to Temporal. That nobody listens is said soon; a server that listens and is only slow gets as long as
 * for any other call. Throws what the SDK throws.
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
