import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { CONTENT_TYPE_JSON } from '@bursar/merchant-api/spec';
import { DEFAULT_MODES, type Modes } from '../core/modes.ts';
import { type RefusalCode, Refused } from '../core/refusals.ts';
import { refusalAnswer } from './answer.ts';
import { proxyPage } from './proxy-page.ts';
import { readBytes } from './read-bytes.ts';
import { send } from './send.ts';

export type ServerDeps = Readonly<{
  modes: () => Modes;
  log: Logger;
}>;

/**
 * A server without routes and without an address. It passes bodies on as bytes, and writes error
 * bodies.
 */
export function createServer({ modes, log }: ServerDeps): FastifyInstance {
  const app = Fastify({
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  });
  app.removeAllContentTypeParsers();
  // The signature covers the bytes, so handlers get nothing but bytes. Fastify finds a specific
  // parser faster than `*`.
  const types = [CONTENT_TYPE_JSON, '*'];
  app.addContentTypeParser(types, (_request: FastifyRequest, payload: IncomingMessage) =>
    readBytes(payload, modes().bodyBytesMax ?? undefined),
  );
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    // On an unknown path a wrong body does not matter.
    request.is404 ? notFound(request, reply) : refuse(error, request, reply),
  );
  return app;

  function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = methodsOf(app, request);
    if (methods.length === 0) return unknownPath(request, reply);
    reply.header('allow', methods.join(', '));
    return refuse(new Refused('METHOD_NOT_ALLOWED'), request, reply);
  }

  function unknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    switch (modes().unknownPath) {
      case 'json':
        return refuse(new Refused('PATH_UNKNOWN'), request, reply);
      case 'text':
        return reply.code(404).type('text/plain').send('Not Found');
      case 'html':
        return reply.code(404).type('text/html').send(proxyPage('Not Found'));
    }
  }

  function refuse(
    error: FastifyError | Refused,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const refused = error instanceof Refused ? error : new Refused(codeOf(error));
    const isDefect = refused.code === 'INTERNAL_ERROR';
    if (isDefect) log.error({ err: error }, 'a request failed unexpectedly');
    // Fastify closes the connection when a body is refused, but readBytes reads it to its end.
    reply.removeHeader('connection');
    // Modes change the service, but not the admin API.
    const isAdmin = pathOf(request).startsWith('/sandbox/');
    return send(reply, refusalAnswer(refused, isAdmin ? DEFAULT_MODES : modes()));
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

/**
 * Returns the methods that the path of a request serves. Returns none when the request's own method
 * is served and the object was not found.
 */
function methodsOf(app: FastifyInstance, request: FastifyRequest): readonly string[] {
  const url = pathOf(request);
  const methods = app.supportedMethods.filter((method) => app.hasRoute({ method, url }));
  return methods.includes(request.method) ? [] : methods.toSorted();
}

function codeOf({ code, statusCode = 500 }: FastifyError): RefusalCode {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'CONTENT_TYPE_INVALID';
  return statusCode < 500 ? 'REQUEST_MALFORMED' : 'INTERNAL_ERROR';
}
