import type { PayloadCodec } from '@temporalio/common';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Tokens } from '../config.ts';
import { type ErrorNote, isBursarError } from '../domain/errors/bursar-error.ts';
import { CODEC_SERVER_LIMITS as LIMITS } from './limits.ts';
import { readPayloads, writePayloads } from './payloads-json.ts';

type Write = (facts: Readonly<Record<string, unknown>>, message: string) => void;

export type CodecServerDeps = Readonly<{
  codec: PayloadCodec;
  /** The only namespace whose payloads the server encrypts and decrypts. */
  namespace: string;
  tokens: Tokens;
  /** The pages that may send requests, as `https://host:port`. */
  origins: readonly string[];
  /** Receives one line for each request, without its payloads, token and address. */
  log: Readonly<{ info: Write; warn: Write }>;
}>;

const OPERATIONS = ['encode', 'decode'] as const;
type Operation = (typeof OPERATIONS)[number];

/**
 * The codec server of Temporal's web UI: `POST /<token>/encode` and `POST /<token>/decode`.
 * It returns 404 for a wrong token, and 403 for another page or another namespace.
 * It returns 415 for a body that is not JSON.
 * A program that is not a browser sends no origin, and needs the token only.
 * `GET /health` returns 200 while the server runs.
 */
export function createCodecServer(deps: CodecServerDeps): FastifyInstance {
  const server = createServer();
  const admit = createAdmission(deps);

  server.get('/health', async (_request, reply) => reply.code(200).send({ status: 'ok' }));
  for (const operation of OPERATIONS) {
    const path = `/:token/${operation}`;
    server.options(path, { onRequest: admit }, async (_request, reply) =>
      reply.headers(PREFLIGHT_HEADERS).code(204).send(),
    );
    server.post(path, { onRequest: admit }, async (request, reply) =>
      serve(deps, operation, { request, reply }),
    );
  }
  return server;
}

type Exchange = Readonly<{ request: FastifyRequest; reply: FastifyReply }>;

/** Checks the token and the page of a request before its body is read. */
function createAdmission({ tokens, origins, log }: CodecServerDeps) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const { token } = request.params as { token: string };
    if (!tokens.accepts(token)) {
      log.warn({}, 'refused: a wrong token');
      return reply.code(404).send();
    }
    const { origin } = request.headers;
    // Without this header a browser may use the cached response for another page.
    reply.header('vary', 'origin');
    if (origin === undefined) return undefined;
    if (!origins.includes(origin)) {
      log.warn({}, 'refused: a page that is not among codec.origins');
      return reply.code(403).send();
    }
    reply.header('access-control-allow-origin', origin);
    return undefined;
  };
}

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, x-namespace',
  'access-control-max-age': String(LIMITS.preflightAgeSeconds),
};

async function serve(
  { codec, namespace, log }: CodecServerDeps,
  operation: Operation,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  if (request.headers['x-namespace'] !== namespace) {
    log.warn({ operation }, 'refused: another namespace, or none');
    return reply.code(403).send();
  }
  const payloads = readPayloads(request.body);
  if (payloads === undefined) return reply.code(400).send();
  try {
    const done = await codec[operation](payloads);
    log.info({ operation, payloads: payloads.length }, 'served');
    return await reply.code(200).send(writePayloads(done));
  } catch (error) {
    if (!isBursarError(error)) throw error;
    log.warn({ operation, code: error.code }, 'payloads could not be read');
    return reply.code(422).send({ error: error.note } satisfies { error: ErrorNote });
  }
}

/**
 * The Fastify server with its limits. It returns errors without a body.
 * Its own log is off, because its lines hold addresses and so the token.
 */
function createServer(): FastifyInstance {
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: LIMITS.bodySizeBytesMax,
    requestTimeout: LIMITS.requestTimeoutMs,
    connectionTimeout: LIMITS.requestTimeoutMs + LIMITS.keepAliveMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    http: {
      headersTimeout: LIMITS.headersTimeoutMs,
      maxHeaderSize: LIMITS.headerSizeBytesMax,
    },
    frameworkErrors: (_error, _request, reply: FastifyReply) => void reply.code(404).send(),
  });
  server.server.maxConnections = LIMITS.connectionsMax;
  // JSON is the only type left, and a browser sends a preflight request before JSON.
  server.removeContentTypeParser('text/plain');
  server.setNotFoundHandler((_request, reply) => reply.code(404).send());
  server.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) =>
    reply.code(statusCode).send(),
  );
  return server;
}
