import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Tokens } from '../config.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Spool } from '../store/webhooks/spool.ts';
import type { BridgeClock } from './clock.ts';
import type { ForwardingStatus } from './forwarder.ts';
import { failedRecently, readHealth } from './health.ts';
import { type Log, reasonOf } from './log.ts';

export type BridgeServerDeps = Readonly<{
  spool: Spool;
  tokens: Tokens;
  /** Read only for `GET /health`. */
  forwarding: () => ForwardingStatus;
  /** Returns the reason to refuse all webhooks, or null while the bridge takes them. */
  refusal?: () => ErrorNote | null;
  clock: BridgeClock;
  log: Log;
  limits?: BridgeLimits;
}>;

/**
 * The web server of the bridge, with two addresses.
 * `POST /hooks/<token>` returns 200 only after the body is on disk in the spool. Any body is taken.
 * It returns 503 when the body cannot be written, so that the service sends it again.
 * It returns 404 when the token is wrong.
 * `GET /health` returns a `BridgeHealth`, with 503 while the bridge fails.
 */
export function createBridgeServer(deps: BridgeServerDeps): FastifyInstance {
  const { spool, tokens, clock, log, limits = BRIDGE_LIMITS } = deps;
  let lastWriteFailureAtMs: number | null = null;
  const server = createServer(limits);

  function noteWriteFailure(error: unknown): void {
    const nowMs = clock.nowMs();
    // Only the first failure of a series is logged, because the log may fill the same disk.
    if (!failedRecently(lastWriteFailureAtMs, nowMs)) {
      log.error({ reason: reasonOf(error) }, 'a webhook could not be written to the spool');
    }
    lastWriteFailureAtMs = nowMs;
  }

  server.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, limits.bodySizeBytesMax),
  );

  server.post<{ Params: { token: string }; Body: Buffer | undefined }>(
    '/hooks/:token',
    {
      onRequest: async (request, reply) => {
        if (!tokens.accepts(request.params.token)) return reply.code(404).send();
        // The spool stores raw bytes. Fastify would refuse a malformed content type.
        delete request.headers['content-type'];
        return undefined;
      },
    },
    async ({ body = Buffer.alloc(0) }, reply) => {
      // The service sends the webhook again, and then a bridge with the right store can take it.
      if ((deps.refusal?.() ?? null) !== null) return reply.code(503).send();
      try {
        await spool.append(body, clock.nowMs());
      } catch (error) {
        noteWriteFailure(error);
        return reply.code(503).send();
      }
      return reply.code(200).send();
    },
  );

  server.get('/health', async (_request, reply) => {
    const health = await readHealth({ ...deps, lastWriteFailureAtMs });
    return reply.code(health.status === 'failing' ? 503 : 200).send(health);
  });
  return server;
}

/**
 * The Fastify server with its limits. It returns errors without a body.
 * Its own log is off, because its lines hold addresses and so the token.
 */
function createServer(limits: BridgeLimits): FastifyInstance {
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    // A closing bridge still takes webhooks. The service counts a 503 as a failed delivery.
    return503OnClosing: false,
    requestTimeout: limits.requestTimeoutMs,
    // This timeout closes every idle connection, in the middle of a request or between two.
    connectionTimeout: limits.requestTimeoutMs + limits.keepAliveMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxRequestsPerSocket: limits.requestsPerConnectionMax,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      maxHeaderSize: limits.headerSizeBytesMax,
    },
    frameworkErrors: (_error, _request, reply: FastifyReply) => void reply.code(404).send(),
  });
  server.server.maxConnections = limits.connectionsMax;
  server.removeAllContentTypeParsers();
  server.setNotFoundHandler((_request, reply) => reply.code(404).send());
  // Only errors of a sender reach this handler: one closes the connection within its body, for
  // example.
  server.setErrorHandler((_error, _request, reply) => reply.code(400).send());
  return server;
}

/**
 * Reads a body to its end and returns its first `sizeBytesMax` bytes.
 * The service counts a refusal as a failed delivery, so the bridge keeps the start of a long body.
 */
async function readBody(body: Readable, sizeBytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytesLeft = sizeBytesMax;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (bytesLeft > 0) parts.push(part.subarray(0, bytesLeft));
    bytesLeft -= part.length;
  }
  return Buffer.concat(parts);
}

/** Limits that keep one sender from using up the bridge. Times in milliseconds. */
export type BridgeLimits = Readonly<{
  /** Bytes of a body that are stored. The bridge reads and drops the others. */
  bodySizeBytesMax: number;
  headerSizeBytesMax: number;
  connectionsMax: number;
  requestsPerConnectionMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Time between two checks of all connections against the two timeouts above. */
  timeoutCheckMs: number;
  keepAliveMs: number;
}>;

/**
 * The service sends one small webhook for each event, so it stays far below these limits.
 * `connectionsMax` bodies of the largest size take 64 MiB of memory.
 */
export const BRIDGE_LIMITS: BridgeLimits = {
  bodySizeBytesMax: 256 * 1024,
  headerSizeBytesMax: 8 * 1024,
  connectionsMax: 256,
  requestsPerConnectionMax: 10_000,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  timeoutCheckMs: 1_000,
  keepAliveMs: 5_000,
};
