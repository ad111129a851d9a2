import type { FastifyInstance } from 'fastify';
import { BursarError } from '../domain/errors/bursar-error.ts';

/**
 * Answers METHOD_WRONG, with the methods that are right, where a path is there and the method is not. Call it after the routes of
 * `server` were added; `routes` are those, as {@link collectRoutes} found them.
 */
export function refuseOtherMethods(server: FastifyInstance, routes: Routes): void {
  for (const [url, known] of [...routes]) {
    const allowed = [...known];
    const method = server.supportedMethods.filter((one) => !known.has(one));
    server.route({
      method,
      url,
      // Before the body is read: a method without a body may come without its type.
      onRequest: async (request, reply) => {
        const { method: given, url: path } = request;
        reply.header('allow', allowed.join(', '));
        throw new BursarError('METHOD_WRONG', {
          method: given,
          path: path.split('?')[0] ?? '',
          allowed: allowed.join(', '),
        });
      },
      handler: async () => undefined,
    });
  }
}

type Routes = ReadonlyMap<string, ReadonlySet<string>>;

/** The methods of each path that is added to `server` from now on. */
export function collectRoutes(server: FastifyInstance): Routes {
  const routes = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    routes.set(url, known);
  });
  return routes;
}
