import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseOtherPages } from './admin/other-pages.ts';
import { type ConsoleFile, ConsoleNotBuilt, INDEX, readConsole } from './console-files.ts';

const PATH = '/sandbox/console';

/**
 * GET /sandbox/console: the interface for people. It reads the list of files at the first request.
 * It looks a path up in that list and never joins it to a folder.
 */
export function serveConsole(app: FastifyInstance): void {
  let files: ReadonlyMap<string, ConsoleFile> | null = null;

  function answer({ params, headers }: FastifyRequest, reply: FastifyReply): FastifyReply | void {
    try {
      files ??= readConsole();
    } catch (error) {
      if (!(error instanceof ConsoleNotBuilt)) throw error;
      return reply.code(503).type('text/plain; charset=utf-8').send(`${error.message}\n`);
    }
    const { '*': name = '' } = params as { '*'?: string };
    const file = files.get(name === '' ? INDEX : name);
    if (file === undefined) return reply.callNotFound();
    reply.headers({ ...file.headers, etag: file.etag });
    if (headers['if-none-match'] === file.etag) return reply.code(304).send();
    return reply.send(file.body);
  }

  const options = { onRequest: refuseOtherPages };
  for (const path of ['/', '/sandbox']) {
    app.get(path, options, (_request, reply) => reply.redirect(PATH));
  }
  app.get(PATH, options, answer);
  app.get(`${PATH}/*`, options, answer);
}
