import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Tokens } from '../config.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Spool } from '../store/webhooks/spool.ts';
import type { Clock } from './clock.ts';
import type { ForwardingStatus } from './forwarder.ts';
import { isLately, readHealth } from './health.ts';
import { BRIDGE_LIMITS, type BridgeLimits } from './limits.ts';
import { type Log, reasonOf } from './log.ts';
import { readBody } from './read-body.ts';

export type BridgeServerDeps = Readonly<{
  spool: Pick<Spool, 'append' | 'counts'>;
  tokens: Tokens;
  /** How the forwarding goes; only shown. */
  forwarding: () => ForwardingStatus;
  /** Why no webhook may be taken; null or missing while all may. */
  refusal?: () => ErrorNote | null;
  clock: Clock;
  log: Log;
  limits?: BridgeLimits;
}>;

/**
 * The webhook receiver: `POST /hooks/<token>` is answered with 200 once the body is safe in the spool, whatever it is;
 * with 503 when it cannot be written; and with 404 when the token is wrong. `GET /health` tells how it goes.
 */
export function createBridgeServer(deps: BridgeServerDeps): FastifyInstance {
  const { spool, tokens, clock, log, limits = BRIDGE_LIMITS } = deps;
  let lastRefusedAtMs: number | null = null;
  const server = createServer(limits);

  function noteRefusal(error: unknown): void {
    const nowMs = clock.nowMs();
    // The first of a series is logged: when the disk is full, the log shall not fill it further.
    if (!isLately(lastRefusedAtMs, nowMs)) {
      log.error({ reason: reasonOf(error) }, 'a webhook could not be written to the spool');
    }
    lastRefusedAtMs = nowMs;
  }

  server.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, limits.bodySizeBytesMax),
  );

  server.post<{ Params: { token: string }; Body: Buffer | undefined }>(
    '/hooks/:token',
    {
      onRequest: async (request, reply) => {
        if (!tokens.accepts(request.params.token)) return reply.code(404).send();
        // Bytes are bytes, whatever the sender calls them; a malformed name for them would be refused.
        delete request.headers['content-type'];
        return undefined;
      },
    },
    async ({ body = Buffer.alloc(0) }, reply) => {
      // The service sends it again later, to a bridge that has the store.
      if ((deps.refusal?.() ?? null) !== null) return reply.code(503).send();
      try {
        await spool.append(body, clock.nowMs());
      } catch (error) {
        noteRefusal(error);
        return reply.code(503).send();
      }
      return reply.code(200).send();
    },
  );

  server.get('/health', async (_request, reply) => {
    const health = await readHealth({ ...deps, lastRefusedAtMs });
    return reply.code(health.status === 'failing' ? 503 : 200).send(health);
  });
  return server;
}

/** Fastify itself logs nothing: its lines would hold addresses, and with them tokens. Errors are answered without a body. */
function createServer(limits: BridgeLimits): FastifyInstance {
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    // While the bridge closes it still can take webhooks, and a 503 would count as a failed delivery.
    return503OnClosing: false,
    requestTimeout: limits.requestTimeoutMs,
    // A connection on which nothing moves is closed, whatever stands still.
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
  // Only senders get here: one that hangs up within its body, for one.
  server.setErrorHandler((_error, _request, reply) => reply.code(400).send());
  return server;
}
