import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** How long the exporter of the SDK may take, in milliseconds. */
const READ_MS_MAX = 2_000;

/**
 * Finds an address for the exporter of Temporal's SDK. The native part of the SDK serves its metrics on a port only, and takes no
 * port 0. The admin port reads them there, so that operations need one port.
 */
export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `${LOOPBACK}:${port}`;
}

/** Reads the metrics of the SDK. Throws where they cannot be read. */
export async function readSdkMetrics(address: string): Promise<string> {
  const response = await fetch(`http://${address}/metrics`, {
    signal: AbortSignal.timeout(READ_MS_MAX),
  });
  if (!response.ok) throw new Error(`the SDK's metrics: status ${response.status}`);
  return response.text();
}
