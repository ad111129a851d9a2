import type { ConnectionOptions } from '@temporalio/client';
import { connectTemporal } from './connect.ts';
import { ADDRESS_DEFAULT, CALL_MS_MAX } from './limits.ts';

/** How Temporal can be reached, and by which programs. */
export type TemporalExposure = Readonly<{
  /** Whether Temporal listens on this machine. */
  isLocal: boolean;
  hasTls: boolean;
  /** Whether a program without a certificate and without a key is served. */
  isOpen: boolean;
}>;

const LOCAL_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** Tries Temporal once without credentials. A failure counts as refused. */
export async function temporalAccess(
  options: ConnectionOptions,
  namespace: string,
): Promise<TemporalExposure> {
  const { address = ADDRESS_DEFAULT } = options;
  const tls = options.tls ?? false;
  return {
    isLocal: LOCAL_HOST.test(address),
    hasTls: tls !== false,
    isOpen: await isServed(withoutCredentials({ address, tls }), namespace),
  };
}

type Place = Readonly<{ address: string; tls: NonNullable<ConnectionOptions['tls']> }>;

function withoutCredentials({ address, tls }: Place): ConnectionOptions {
  if (typeof tls !== 'object') return { address, tls };
  const { clientCertPair: _certificate, ...anonymous } = tls;
  return { address, tls: anonymous };
}

async function isServed(options: ConnectionOptions, namespace: string): Promise<boolean> {
  const patience = { connectMs: CALL_MS_MAX, callMs: CALL_MS_MAX };
  try {
    const connection = await connectTemporal(options, patience);
    try {
      await connection.withDeadline(Date.now() + CALL_MS_MAX, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
