import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request as ask } from 'undici';

/** What happens to a request or to its answer. */
export type Garbage =
  | 'passed'
  /** It is done, and the connection is reset before the answer. */
  | 'cut'
  /** The connection is reset at once, and the request is done 4 seconds later. */
  | 'late'
  /** It is not done: 503 without a readable body. */
  | '5xx'
  /** It is done, and the answer ends in the middle of its JSON. */
  | 'truncated'
  /** It is answered with 200, and not done. */
  | 'lost'
  /** It is done twice. */
  | 'doubled';

/** Shares of 1, by what happens; what is left is passed on. */
export type Shares = Readonly<Partial<Record<Garbage, number>>>;

const LATE_MS = 4_000;
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length'];

type Answer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>;

/**
 * Stands between two programs that speak HTTP, and breaks a share of all requests. The same seed breaks the same share in the
 * same order. `sharesOf`: what may happen to a request of that path.
 */
export async function startGarbageProxy(
  target: () => string,
  sharesOf: (path: string) => Shares,
  seed = 1,
) {
  const direct = new Agent({ pipelining: 0 });
  const counts = new Map<Garbage, number>();
  const late = new Set<Promise<unknown>>();
  let state = seed;
  let isOn = false;

  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  function choose(path: string): Garbage {
    let left = next();
    for (const [what, share = 0] of Object.entries(sharesOf(path))) {
      if (left < share) return what as Garbage;
      left -= share;
    }
    return 'passed';
  }

  async function pass(
    { url = '', method, headers }: IncomingMessage,
    body: string,
  ): Promise<Answer> {
    const answer = await ask(`${target()}${url}`, {
      dispatcher: direct,
      method: (method ?? 'GET') as 'GET',
      headers: withoutHops(headers),
      ...(body === '' ? {} : { body }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
  }

  async function serve(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await textOf(from);
    const what = isOn ? choose(from.url ?? '') : 'passed';
    counts.set(what, (counts.get(what) ?? 0) + 1);
    switch (what) {
      case '5xx':
        to.writeHead(503).end('busy');
        return;
      case 'lost':
        to.writeHead(200).end();
        return;
      case 'late': {
        from.socket.resetAndDestroy();
        const done = sleep(LATE_MS)
          .then(() => pass(from, body))
          .catch(() => undefined)
          .finally(() => late.delete(done));
        late.add(done);
        return;
      }
      case 'cut':
        await pass(from, body);
        from.socket.resetAndDestroy();
        return;
      case 'doubled':
        await pass(from, body);
        reply(to, await pass(from, body));
        return;
      case 'truncated': {
        const answer = await pass(from, body);
        reply(to, { ...answer, body: answer.body.slice(0, answer.body.length / 2) });
        return;
      }
      case 'passed':
        reply(to, await pass(from, body));
    }
  }

  const server = createServer((from, to) => {
    serve(from, to).catch(() => from.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** From now on a share of the requests is broken; before, none is. */
    begin: (): void => {
      isOn = true;
    },
    end: (): void => {
      isOn = false;
    },
    /** How often something has happened so far. */
    count: (what: Garbage): number => counts.get(what) ?? 0,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await Promise.all(late);
      await direct.destroy();
    },
  };
}

function reply(to: ServerResponse, { status, headers, body }: Answer): void {
  to.writeHead(status, withoutHops(headers));
  to.end(body);
}

const withoutHops = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
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
