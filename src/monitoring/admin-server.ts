import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Readiness } from './readiness.ts';

/** Why a program can do no more work until it is started again; null while it can. */
export type Standstill = Readonly<{ what: string; why: string; fix: string }> | null;

export type AdminServerDeps = Readonly<{
  /** The program, as `worker`. */
  program: string;
  /** Whether this very process works. */
  standstill(): Standstill;
  readiness(): Promise<Readiness>;
  /** The longest recent time for which the event loop answered nothing, in milliseconds. */
  loopDelayMs(): number;
  metrics(): Promise<Readonly<{ contentType: string; text: string }>>;
}>;

/** A longer delay of the event loop makes `/livez` fail: time-outs of Temporal and of the service pass meanwhile. Milliseconds. */
export const LOOP_DELAY_MS_MAX = 10_000;

/** Probes and scrapes send no bodies, and few of them come at a time. */
const LIMITS = { bodyBytesMax: 1_024, connectionsMax: 32, requestMs: 10_000, keepAliveMs: 5_000 };

/**
 * The server of the admin port. `GET /livez` returns 503 when only a restart helps, `GET /readyz` when the program lacks
 * something that it needs, and `GET /metrics` returns the metrics as Prometheus reads them.
 */
export function createAdminServer(deps: AdminServerDeps): FastifyInstance {
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: LIMITS.bodyBytesMax,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    forceCloseConnections: true,
  });
  server.server.maxConnections = LIMITS.connectionsMax;
  server.setNotFoundHandler((_request, reply: FastifyReply) => reply.code(404).send());
  server.setErrorHandler((_error, _request, reply) => reply.code(500).send());

  server.get('/livez', async (_request, reply) => {
    const loopDelayMs = deps.loopDelayMs();
    const failure = deps.standstill() ?? standstillOf(loopDelayMs);
    const state = { program: deps.program, loopDelayMs };
    return failure === null
      ? reply.code(200).send({ status: 'live', ...state })
      : reply.code(503).send({ status: 'stuck', ...state, failure });
  });

  server.get('/readyz', async (_request, reply) => {
    const readiness = await deps.readiness();
    return reply.code(readiness.status === 'ready' ? 200 : 503).send(readiness);
  });

  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await deps.metrics();
    return reply.code(200).header('content-type', contentType).send(text);
  });
  return server;
}

function standstillOf(loopDelayMs: number): Standstill {
  if (loopDelayMs <= LOOP_DELAY_MS_MAX) return null;
  return {
    what: `The event loop did nothing for ${loopDelayMs} ms.`,
    why: 'The process had no processor time, or one step of its work took all of it.',
    fix: 'Give the process more processor time. If it has enough, restart it.',
  };
}
