import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectTemporal } from '../../src/operations/engine/connect.ts';
import { isTooLate } from '../../src/operations/engine/failures.ts';

/** gRPC's number for a call that a server does not know, which the SDK takes for an old server. */
const UNIMPLEMENTED = '12';

const PATIENCE = { connectMs: 1_500, callMs: 20_000 };

let server: Http2Server | undefined;
const sessions = new Set<{ destroy(): void }>();

/** A server that says nothing to its first `silent` calls. */
async function serverThatIsSlow(silent: number): Promise<string> {
  let calls = 0;
  const made = createServer();
  server = made;
  made.on('session', (session) => sessions.add(session));
  made.on('stream', (stream: ServerHttp2Stream) => {
    calls += 1;
    stream.on('error', () => undefined);
    if (calls <= silent) return;
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': UNIMPLEMENTED },
      { endStream: true },
    );
  });
  await new Promise<void>((resolve) => {
    made.listen(0, '127.0.0.1', resolve);
  });
  return `127.0.0.1:${(made.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const session of sessions) session.destroy();
  sessions.clear();
  server?.close();
});

describe('a command that connects to Temporal', () => {
  it('waits longer for a server that listens and is slow', async () => {
    const address = await serverThatIsSlow(1);
    const connection = await connectTemporal({ address }, PATIENCE);
    expect(connection.options.address).toBe(address);
    await connection.close();
  });

  it('gives up when the server stays silent', async () => {
    const address = await serverThatIsSlow(Number.POSITIVE_INFINITY);
    const patience = { ...PATIENCE, callMs: 400 };
    const error: unknown = await connectTemporal({ address }, patience).catch((e: unknown) => e);
    expect(isTooLate(error)).toBe(true);
  });

  it('that tries once fails by the first refusal, and does not connect again', async () => {
    let connections = 0;
    const refusing = createTcpServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    const once = { connectMs: 0, callMs: 60_000 };
    await expect(connectTemporal({ address }, once)).rejects.toThrow('UNAVAILABLE');
    expect(connections).toBe(1);
    refusing.close();
  });

  it('that tries once takes an old server that does not know the call', async () => {
    const address = await serverThatIsSlow(0);
    const connection = await connectTemporal({ address }, { connectMs: 0, callMs: 20_000 });
    await connection.close();
  });

  it('fails soon when no server listens', async () => {
    const address = await serverThatIsSlow(0);
    server?.close();
    const error: unknown = await connectTemporal({ address }, PATIENCE).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Error);
    expect(isTooLate(error)).toBe(false);
  });
});
