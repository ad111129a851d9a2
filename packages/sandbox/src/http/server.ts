import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { CONTENT_TYPE_JSON } from '@bursar/merchant-api/spec';
import { systemClock } from '../clock.ts';
import { DEFAULT_MODES, type Modes } from '../core/modes.ts';
import { type RefusalCode, Refused } from '../core/refusals.ts';
import { refusalAnswer, bareRefusalAnswer } from './answer.ts';
import { send } from './send.ts';

/** ASSUMED: the spec sets no limit. A create request of 100,000 withdrawals has about 15 MB. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export type ServerDeps = Readonly<{
  nowMs: () => number;
  modes: () => Modes;
  log: Logger;
}>;

/**
 * A server without routes that keeps the rules of every answer: the time, the bytes as they came,
 * the error body.
 */
export function createServer({ nowMs, modes, log }: ServerDeps): FastifyInstance {
  const dateHeader = createDateHeader(nowMs);
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    // Node would answer a request without Host by itself, with an empty body.
    http: { requireHostHeader: false },
    clientErrorHandler: (_error, socket) => answerMalformed(socket, nowMs()),
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  });
  app.removeAllContentTypeParsers();
  // The signature covers the bytes, so nothing but bytes is passed on. Fastify finds a parser of its own sooner than `*`.
  const types = [CONTENT_TYPE_JSON, '*'];
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.server.prependListener('request', (_request, response: ServerResponse) => {
    const date = dateHeader();
    if (date !== null) response.setHeader('date', date);
  });
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    // What nothing is served for need not be right either.
    request.is404 ? notFound(request, reply) : refuse(error, request, reply),
  );
  return app;

  function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = methodsOf(app, request);
    if (methods.length === 0) return reply.code(404).type('text/plain').send('Not Found');
    reply.header('allow', methods.join(', '));
    return refuse(new Refused('METHOD_NOT_ALLOWED'), request, reply);
  }

  function refuse(
    error: FastifyError | Refused,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const refused = error instanceof Refused ? error : new Refused(codeOf(error));
    const isDefect = refused.code === 'INTERNAL_ERROR';
    if (isDefect) log.error({ err: error }, 'a request failed unexpectedly');
    // The modes play the service, and leave the admin API alone.
    const isAdmin = pathOf(request).startsWith('/sandbox/');
    return send(reply, refusalAnswer(refused, isAdmin ? DEFAULT_MODES : modes()));
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

/** The methods that are served on the path of a request; none when its own is, but nothing was found by it. */
function methodsOf(app: FastifyInstance, request: FastifyRequest): readonly string[] {
  const url = pathOf(request);
  const methods = app.supportedMethods.filter((method) => app.hasRoute({ method, url }));
  return methods.includes(request.method) ? [] : methods.toSorted();
}

const httpDate = (atMs: number): string => new Date(atMs).toUTCString();

/**
 * The date that a header must tell; null when it is the computer's, which Node tells by itself and at less cost. The
 * sandbox's own clock can be off on purpose.
 */
function createDateHeader(nowMs: () => number): () => string | null {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = secondOf(nowMs());
    if (now === secondOf(systemClock.nowMs())) return null;
    if (now !== second) {
      second = now;
      text = httpDate(now * 1000);
    }
    return text;
  };
}

const secondOf = (atMs: number): number => Math.floor(atMs / 1000);

function codeOf({ code, statusCode = 500 }: FastifyError): RefusalCode {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'BODY_TOO_LARGE';
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'CONTENT_TYPE_INVALID';
  return statusCode < 500 ? 'REQUEST_MALFORMED' : 'INTERNAL_ERROR';
}

/** Answers what Node could not read as HTTP, in bytes, because there is no request to reply to. */
function answerMalformed(socket: Socket, atMs: number): void {
  const { status, body } = bareRefusalAnswer('REQUEST_MALFORMED');
  const head = [
    `HTTP/1.1 ${status} Bad Request`,
    `Date: ${httpDate(atMs)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
