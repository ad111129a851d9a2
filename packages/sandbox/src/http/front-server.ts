import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { systemClock } from '../clock.ts';
import { bareRefusalAnswer } from './answer.ts';

const REQUEST_TIMEOUT_MS = 30_000;

/** As in Fastify. Clients that keep connections find them open for longer than most proxies do. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export type FrontServerDeps = Readonly<{
  /** The time of the service's clock. */
  nowMs: () => number;
  dispatch(request: IncomingMessage, response: ServerResponse): void;
}>;

/**
 * Listens, sets the date header, answers bytes that are not HTTP, and passes requests on. It stays
 * when a reset replaces everything behind it.
 */
export function createFrontServer({ nowMs, dispatch }: FrontServerDeps): FastifyInstance {
  const dateHeader = createDateHeader(nowMs);
  return Fastify({
    forceCloseConnections: true,
    clientErrorHandler: (_error, socket) => answerMalformed(socket, nowMs()),
    serverFactory: (): Server => {
      const answer = (request: IncomingMessage, response: ServerResponse): void => {
        const date = dateHeader();
        if (date !== null) response.setHeader('date', date);
        dispatch(request, response);
      };
      // Without this option and this listener Node itself answers a request without Host, or with
      // an unknown Expect, with an empty body.
      const server = createHttpServer({ requireHostHeader: false }, answer);
      server.on('checkExpectation', answer);
      server.requestTimeout = REQUEST_TIMEOUT_MS;
      server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
      return server;
    },
  });
}

const httpDate = (atMs: number): string => new Date(atMs).toUTCString();

/**
 * Returns the date for the header. Returns null when the sandbox's clock equals the computer's,
 * because Node writes that date itself, at less cost.
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

/**
 * Answers bytes that Node could not read as HTTP. There is no request object, so the answer is
 * bytes, too.
 */
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
