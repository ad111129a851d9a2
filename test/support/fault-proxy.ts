import { once } from 'node:events';
import { connect } from 'node:net';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request as ask } from 'undici';

/** What can happen to a request on its way. */
export type FaultKind =
  /** Half of the request gets there, and both connections are reset. */
  | 'cut-request'
  /** It is done; half of the answer comes back, and the connection is reset. */
  | 'cut-answer'
  /** It is done; the answer comes a byte at a time, and never to its end. */
  | 'drip-answer'
  /** It never gets there, and nobody says so: the connection stays open. */
  | 'swallow'
  /** It waits on the way until `release` or `drop`. */
  | 'hold-request'
  /** It is done, and its answer waits on the way until `release` or `drop`. */
  | 'hold-answer';

export type ProxiedRequest = Readonly<{ path: string; body: string }>;

export type Fault = Readonly<{
  kind: FaultKind;
  /** Which requests it hits; all by default. */
  hits?: (request: ProxiedRequest) => boolean;
  /** How many of them it hits; all by default. */
  next?: number;
}>;

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

type Held = Readonly<{
  request: ProxiedRequest;
  to: ServerResponse;
  end(how: 'deliver' | 'drop'): void;
}>;

/** How long a dripping answer waits before its next byte, in milliseconds. */
const DRIP_MS = 20;
/** What is between two machines, and no matter of those at the ends. */
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'host'];

type Answer = Awaited<ReturnType<typeof ask>>;

/**
 * Stands between two programs that speak HTTP, and breaks what it is told to. It counts what it broke: a fault that did not
 * fire proves nothing. It sends nothing twice, and without faults it changes nothing.
 */
export async function startFaultProxy(target: () => string) {
  const direct = new Agent({ pipelining: 0 });
  const fired = new Map<FaultKind, number>();
  let faults: { fault: Fault; left: number }[] = [];
  let waiting: Held[] = [];

  const count = (kind: FaultKind): void => void fired.set(kind, (fired.get(kind) ?? 0) + 1);
  const faultFor = (request: ProxiedRequest): FaultKind | undefined => {
    const next = faults.find(({ fault, left }) => left > 0 && (fault.hits?.(request) ?? true));
    if (next === undefined) return undefined;
    next.left -= 1;
    return next.fault.kind;
  };
  /** Ends with whether it is to be dropped. It counts once it can be let go. */
  const isDropped = async (held: Omit<Held, 'end'>, kind: FaultKind): Promise<boolean> => {
    const end = new Promise<'deliver' | 'drop'>((resolve) => {
      waiting.push({ ...held, end: resolve });
      count(kind);
    });
    if ((await end) === 'deliver') return false;
    held.to.destroy();
    return true;
  };

  const pass = (from: IncomingMessage, body: string): Promise<Answer> =>
    ask(`${target()}${from.url ?? ''}`, {
      dispatcher: direct,
      method: (from.method ?? 'GET') as 'GET',
      headers: withoutHops(from.headers),
      ...(body === '' ? {} : { body }),
    });

  async function serve(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await textOf(from);
    const request = { path: from.url ?? '', body };
    const kind = faultFor(request);
    if (kind !== undefined && !kind.startsWith('hold')) count(kind);
    if (kind === 'swallow') return;
    if (kind === 'cut-request') {
      await sendHalf(new URL(from.url ?? '', target()), from, body);
      from.socket.resetAndDestroy();
      return;
    }
    if (kind === 'hold-request' && (await isDropped({ request, to }, kind))) return;
    const answer = await pass(from, body);
    // What is held is here: whatever becomes of the service meanwhile, it has answered.
    const held = kind === 'hold-answer' ? await answer.body.text() : undefined;
    if (kind === 'hold-answer' && (await isDropped({ request, to }, kind))) return;
    // Who is let go while nobody can connect is the last on its connection.
    if (!server.listening) to.shouldKeepAlive = false;
    await (held === undefined ? reply(to, answer, kind) : sendOn(to, answer, held));
  }

  const server = createServer((from, to) => {
    serve(from, to).catch(() => from.socket.destroy());
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  };
  const endHolds = async (end: 'deliver' | 'drop', hits: Fault['hits']): Promise<void> => {
    const meant = waiting.filter(({ request }) => hits?.(request) ?? true);
    waiting = waiting.filter((one) => !meant.includes(one));
    for (const one of meant) one.end(end);
    await Promise.all(meant.map(async ({ to }) => to.closed || once(to, 'close')));
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on these happen, and no others; the first that hits a request decides. */
    set(...next: readonly Fault[]): void {
      faults = next.map((fault) => ({ fault, left: fault.next ?? Number.POSITIVE_INFINITY }));
    },
    /** How often something of this kind has happened so far. */
    fired: (kind: FaultKind): number => fired.get(kind) ?? 0,
    /** Lets go what is held, or those of it; ends when they have their answers, or nobody waits for them any more. */
    release: (hits?: Fault['hits']): Promise<void> => endHolds('deliver', hits),
    /** The same, but they come to nothing: their connections are closed. */
    drop: (hits?: Fault['hits']): Promise<void> => endHolds('drop', hits),
    /** From now on nobody can connect, until `accept`; what is held keeps its connection until it has its answer. */
    refuse: (): void => void server.close(),
    accept: (): Promise<unknown> => listen(port),
    async close(): Promise<void> {
      faults = [];
      waiting = [];
      server.close();
      server.closeAllConnections();
      await direct.destroy();
    },
  };
}

function sendOn(to: ServerResponse, { statusCode, headers }: Answer, body: string): void {
  to.writeHead(statusCode, withoutHops(headers));
  to.end(body);
}

async function reply(to: ServerResponse, answer: Answer, kind?: FaultKind): Promise<void> {
  to.writeHead(answer.statusCode, withoutHops(answer.headers));
  if (kind === 'cut-answer') {
    const body = await answer.body.text();
    to.write(body.slice(0, body.length / 2), () => to.socket?.resetAndDestroy());
  } else if (kind === 'drip-answer') {
    await drip(to, await answer.body.text());
  } else {
    await passOn(answer, to);
  }
}

/** An answer that breaks off on its way here breaks off for whoever waits for it. */
async function passOn({ body }: Answer, to: ServerResponse): Promise<void> {
  try {
    for await (const bytes of body) to.write(bytes);
    to.end();
  } catch {
    to.socket?.resetAndDestroy();
  }
}

async function drip(to: ServerResponse, body: string): Promise<void> {
  for (const byte of body.slice(0, -1)) {
    if (to.destroyed) return;
    to.write(byte);
    await sleep(DRIP_MS);
  }
}

/** Sends the head of a request and half of its body, and resets the connection. */
async function sendHalf(url: URL, from: IncomingMessage, body: string): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const bytes = Buffer.from(body);
  const headers = { host: url.host, ...withoutHops(from.headers) };
  const lines = Object.entries(headers).map(([name, of]) => `${name}: ${of}`);
  const head = `POST ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  const half = Buffer.concat([Buffer.from(head), bytes.subarray(0, bytes.length / 2)]);
  await new Promise((resolve) => socket.write(half, resolve));
  socket.resetAndDestroy();
}

const withoutHops = (headers: IncomingMessage['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_HEADERS.includes(name) ? [] : [[name, value]],
    ),
  );

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}
