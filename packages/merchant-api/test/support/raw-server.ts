import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** One request as it came over the wire. */
export type RawRequest = Readonly<{ text: string; head: string; body: string }>;

/**
 * A server of bytes: it knows just enough HTTP to tell requests apart, and answers whatever it is
 * told to.
 */
export type RawServer = Readonly<{
  url: string;
  port: number;
  requests: readonly RawRequest[];
  /** Sockets accepted so far. */
  connectionCount(): number;
  close(): Promise<void>;
}>;

export type RawHandlers = Readonly<{
  /** A whole request has arrived. */
  onRequest?: (socket: Socket, request: RawRequest) => void;
  /** Any bytes have arrived, perhaps only a part of a request. */
  onBytes?: (socket: Socket) => void;
}>;

export async function startRawServer(handlers: RawHandlers): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const accepted = new Set<Socket>();
  const server = createServer((socket) => {
    accepted.add(socket);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // Resets are what these tests are about.
    readRequests(socket, handlers, { requests, accepted });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connectionCount: () => accepted.size,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

/**
 * Whether a connection is that of a gRPC client: it begins with the preface of HTTP/2. Such a client of another test tries
 * to reach a server that had this port before.
 */
const isOfGrpc = (bytes: Buffer): boolean => bytes.toString('latin1').startsWith('PRI * HTTP/2');

function readRequests(
  socket: Socket,
  handlers: RawHandlers,
  { requests, accepted }: Readonly<{ requests: RawRequest[]; accepted: Set<Socket> }>,
): void {
  let received = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (isOfGrpc(received)) {
      accepted.delete(socket);
      socket.destroy();
      return;
    }
    handlers.onBytes?.(socket);
    const request = wholeRequest(received);
    if (request === undefined) return;
    received = Buffer.alloc(0);
    requests.push(request);
    handlers.onRequest?.(socket, request);
  });
}

function wholeRequest(received: Buffer): RawRequest | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.subarray(0, headEnd + 4).toString('utf8');
  const length = /content-length: (\d+)/i.exec(head)?.[1] ?? '0';
  if (received.length < headEnd + 4 + Number.parseInt(length, 10)) return undefined;
  const text = received.toString('utf8');
  return { text, head, body: received.subarray(headEnd + 4).toString('utf8') };
}

export type RawAnswer = Readonly<{
  status?: number;
  body?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
}>;

/** The bytes of a whole answer. */
export function answerBytes({ status = 200, body = '', headers = {} }: RawAnswer): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} X\r\nContent-Length: ${bytes.length}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** A handler that gives every request the same answer. */
export const answering =
  (answer: RawAnswer) =>
  (socket: Socket): void => {
    socket.write(answerBytes(answer));
  };
