import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { type RefusalCode, Refused } from '../core/refusals.ts';
import { refusalAnswer, refusalAnswerOf } from './answer.ts';
import { send } from './send.ts';

/** ASSUMED: the spec sets no limit. A create request of 100,000 withdrawals has about 15 MB. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export type ServerDeps = Readonly<{ nowMs: () => number; log: Pick<Logger, 'error'> }>;

/**
 * A server without routes that keeps the rules of every answer: the time, the bytes as they came,
 * the error body.
 */
export function createServer({ nowMs, log }: ServerDeps): FastifyInstance {
  const dateHeader = createDateHeader(nowMs);
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    // Node would answer a request without Host by itself, with an empty body.
    http: { requireHostHeader: false },
    clientErrorHandler: (_error, socket) => answerMalformed(socket, nowMs()),
    frameworkErrors: (error, _request, reply) => void refuse(error, reply),
  });
  app.removeAllContentTypeParsers();
  // The signature covers the bytes, so nothing but bytes is passed on.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // Node would tell the computer's time; the sandbox's own clock can be off on purpose.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('date', dateHeader());
    done();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('Not Found'));
  app.setErrorHandler((error: FastifyError, _request, reply) => refuse(error, reply));
  return app;

  function refuse(error: FastifyError | Refused, reply: FastifyReply): FastifyReply {
    if (error instanceof Refused) return send(reply, refusalAnswer(error));
    const code = codeOf(error);
    if (code === 'INTERNAL_ERROR') log.error({ err: error }, 'a request failed unexpectedly');
    return send(reply, refusalAnswerOf(code));
  }
}

const httpDate = (atMs: number): string => new Date(atMs).toUTCString();

/** The date as a header, made once a second; many requests come in one. */
function createDateHeader(nowMs: () => number): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(nowMs() / 1000);
    if (now !== second) {
      second = now;
      text = httpDate(now * 1000);
    }
    return text;
  };
}

function codeOf({ code, statusCode = 500 }: FastifyError): RefusalCode {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'BODY_TOO_LARGE';
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'CONTENT_TYPE_INVALID';
  return statusCode < 500 ? 'REQUEST_MALFORMED' : 'INTERNAL_ERROR';
}

/** Answers what Node could not read as HTTP, in bytes, because there is no request to reply to. */
function answerMalformed(socket: Socket, atMs: number): void {
  const { status, body } = refusalAnswerOf('REQUEST_MALFORMED');
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
