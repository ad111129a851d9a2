import type { PayloadCodec } from '@temporalio/common';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Tokens } from '../config.ts';
import { type ErrorNote, isBursarError } from '../domain/errors/bursar-error.ts';
import { CODEC_SERVER_LIMITS as LIMITS } from './limits.ts';
import { readPayloads, writePayloads } from './payloads-json.ts';

type Write = (facts: Readonly<Record<string, unknown>>, message: string) => void;

export type CodecServerDeps = Readonly<{
  codec: PayloadCodec;
  /** The only namespace whose payloads are encrypted and decrypted here. */
  namespace: string;
  tokens: Tokens;
  /** The pages that may ask, as `https://host:port`. */
  origins: readonly string[];
  /** Gets who was served and who was refused; never a payload, a token or an address of a request. */
  log: Readonly<{ info: Write; warn: Write }>;
}>;

const OPERATIONS = ['encode', 'decode'] as const;
type Operation = (typeof OPERATIONS)[number];

/**
 * The codec server of Temporal's web UI: `POST /<token>/encode` and `POST /<token>/decode`. A wrong token is answered with 404, a
 * page that is not among the origins with 403, another namespace with 403, what is no JSON with 415. Programs that are no
 * browser send no origin; the token lets them in. `GET /health` tells that it runs.
 */
export function createCodecServer(deps: CodecServerDeps): FastifyInstance {
  const server = createServer();
  const letIn = createDoor(deps);

  server.get('/health', async (_request, reply) => reply.code(200).send({ status: 'ok' }));
  for (const operation of OPERATIONS) {
    const path = `/:token/${operation}`;
    server.options(path, { onRequest: letIn }, async (_request, reply) =>
      reply.headers(PREFLIGHT_HEADERS).code(204).send(),
    );
    server.post(path, { onRequest: letIn }, async (request, reply) =>
      serve(deps, operation, { request, reply }),
    );
  }
  return server;
}

type Exchange = Readonly<{ request: FastifyRequest; reply: FastifyReply }>;

/** Asks for token and page, before anything of a body is read. */
function createDoor({ tokens, origins, log }: CodecServerDeps) {
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
    // Browsers keep an answer for other pages too, unless they are told.
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

/** Fastify itself logs nothing: its lines would hold addresses, and with them tokens. Errors are answered without a body. */
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
  // Only JSON is left, and that asks a browser to send a preflight request first.
  server.removeContentTypeParser('text/plain');
  server.setNotFoundHandler((_request, reply) => reply.code(404).send());
  server.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) =>
    reply.code(statusCode).send(),
  );
  return server;
}
