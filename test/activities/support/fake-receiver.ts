import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';

export type Got = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

export type FakeReceiver = Readonly<{ url: string; got: readonly Got[] }>;

/** A receiver of notifications on this computer, which answers as the test wants; closed after the test. */
export async function fakeReceiver(
  answer: (response: ServerResponse, got: Got) => void = (response) => void response.end(),
): Promise<FakeReceiver> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const body = Buffer.concat(parts).toString('utf8');
      const one = { method, path, headers: textHeaders(headers), body };
      got.push(one);
      answer(response, one);
    });
  });
  const url = await listen(server, () => server.closeAllConnections());
  return { url: `${url}/in`, got };
}

/** A server that speaks whatever the test writes, HTTP or not. */
export async function rawReceiver(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    speak(socket);
  });
  return listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function listen(server: Server, cutOff: () => void): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    cutOff();
    await new Promise((resolve) => void server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const textHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
