import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AnyOperation, isListing, type Role, ROLES } from '../app/operation.ts';
import { openList } from '../app/open-list.ts';
import { ALL_OPERATIONS } from '../app/operations.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { OperationContext, Progress } from '../operations/context.ts';
import { addFileRoutes, type ContextFor } from './file-routes.ts';
import { inputReader, type RequestParts } from '../app/input-reader.ts';
import { openapiDocument } from './openapi.ts';
import { noteOfError, PROBLEM_TYPE, problemOf } from './problem.ts';
import { EVENTS_TYPE, LINES_TYPE, sendEvents, sendLines, sendList } from './replies.ts';
import { serveWebApp } from './web-files.ts';
import type { TokenBook, TokenRecord } from '../app/tokens/tokens.ts';

/** Bytes of a body. Files are uploaded by themselves. */
const BODY_BYTES_MAX = 1_048_576;
/** Bytes of a token in a header. */
const TOKEN_LENGTH_MAX = 200;

type Write = (facts: object, message: string) => void;

export type HttpApiDeps = Readonly<{
  tokens: TokenBook;
  /** The context of an operation that the owner of a token asks for. */
  contextOf(caller: ApiCaller): OperationContext;
  requestsPerMinute: number;
  /** The folder with the files of the web app. */
  webFolder: string;
  version: string;
  nowMs(): number;
  log: Readonly<{ info: Write; error: Write }>;
}>;

/** Who calls, and where the progress goes. `left` aborts when the caller goes away. */
export type ApiCaller = Readonly<{ token: TokenRecord; progress: Progress; left: AbortSignal }>;

/** The operations over HTTP: `/v1/...`, described by `GET /v1/openapi.json`. Errors are RFC 9457 problems. */
export async function createHttpApi(deps: HttpApiDeps): Promise<FastifyInstance> {
  const server = fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true });
  const callers = new WeakMap<FastifyRequest, TokenRecord>();
  server.setErrorHandler((error, request, reply) => sendProblem(error, { request, reply }, deps));
  server.setNotFoundHandler(({ method, url }) => {
    throw new BursarError('PATH_UNKNOWN', { method, path: url.split('?')[0] ?? '' });
  });
  server.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const { method, routeOptions } = request;
    const facts = {
      method,
      path: routeOptions.url,
      status: statusCode,
      ms: Math.round(elapsedTime),
    };
    deps.log.info({ ...facts, token: callers.get(request)?.name }, 'request');
  });
  serveWebApp(server, deps.webFolder);
  server.get('/v1/openapi.json', async () => openapiDocument(ALL_OPERATIONS, deps.version));
  await server.register(async (guarded) => {
    guarded.addHook('onRequest', async (request) => {
      callers.set(request, tokenOf(request, deps));
    });
    await guarded.register(rateLimit, {
      max: deps.requestsPerMinute,
      timeWindow: '1 minute',
      keyGenerator: (request) => callers.get(request)?.sha256 ?? '',
      errorResponseBuilder: (_request, { ttl }) =>
        new BursarError('REQUESTS_TOO_MANY', { seconds: String(Math.ceil(ttl / 1_000)) }),
    });
    const calledBy = (request: FastifyRequest): Called => {
      const token = callers.get(request);
      if (token === undefined) throw new BursarError('TOKEN_MISSING', {});
      return { token, deps };
    };
    const contextFor: ContextFor = (role, request, reply) => {
      const { token } = calledBy(request);
      refuseRole(role, token);
      return deps.contextOf({ token, progress: SILENT, left: leftOf(reply) });
    };
    for (const operation of ALL_OPERATIONS) addRoute(guarded, operation, calledBy);
    await guarded.register(async (files) => addFileRoutes(files, contextFor));
  });
  return server;
}

/** Throws TOKEN_MISSING, TOKEN_UNKNOWN. */
function tokenOf({ headers }: FastifyRequest, { tokens, nowMs }: HttpApiDeps): TokenRecord {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw new BursarError('TOKEN_MISSING', {});
  const found = token.length > TOKEN_LENGTH_MAX ? undefined : tokens.find(token, nowMs());
  if (found === undefined) throw new BursarError('TOKEN_UNKNOWN', {});
  return found;
}

type Called = Readonly<{ token: TokenRecord; deps: HttpApiDeps }>;

function addRoute(
  server: FastifyInstance,
  operation: AnyOperation,
  calledBy: (request: FastifyRequest) => Called,
): void {
  const [method = '', url = ''] = operation.http.split(' ');
  const readInput = inputReader(operation.input);
  server.route({
    method,
    url,
    handler: async (request, reply) => {
      const called = calledBy(request);
      refuseRole(operation.role, called.token);
      const { params, query, body } = request;
      const input = readInput({
        params: params as RequestParts['params'],
        query: query as RequestParts['query'],
        body: body ?? undefined,
      });
      return answer({ operation, input: input as never, called }, request, reply);
    },
  });
}

/** Each role may do the work of those before it. Throws ROLE_TOO_LOW. */
function refuseRole(needed: Role, { name, role }: TokenRecord): void {
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return;
  throw new BursarError('ROLE_TOO_LOW', { name, role, needed });
}

type Job = Readonly<{ operation: AnyOperation; input: never; called: Called }>;

async function answer(
  { operation, input, called: { token, deps } }: Job,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = leftOf(reply);
  const accept = request.headers.accept ?? '';
  const contextWith = (progress: Progress) => deps.contextOf({ token, progress, left });
  if (accept.includes(LINES_TYPE)) {
    return sendLines(reply, async (out, progress) => {
      const context = contextWith(progress);
      if (!isListing(operation)) return out({ result: await operation.run(input, context) });
      return operation.run(input, context, async ({ about, items }) => {
        await out({ about });
        for await (const item of items) await out({ item });
      });
    });
  }
  const context = contextWith(SILENT);
  if (!isListing(operation)) {
    const result = await operation.run(input, context);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
  }
  const list = await openList(operation, input, context);
  return accept.includes(EVENTS_TYPE)
    ? sendEvents(reply, list)
    : sendList(reply, operation.names, list);
}

/** Progress is for people. A program reads results. */
const SILENT: Progress = { say: () => undefined, show: () => undefined, clear: () => undefined };

/** Aborts when the caller goes away before the answer is whole. */
function leftOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function sendProblem(
  error: unknown,
  { request, reply }: Readonly<{ request: FastifyRequest; reply: FastifyReply }>,
  { log }: HttpApiDeps,
): FastifyReply {
  const problem = problemOf(noteOfError(ownError(error)));
  if (problem.status >= 500) {
    log.error({ path: request.routeOptions.url, code: problem.code }, problem.what);
  }
  return reply.code(problem.status).type(PROBLEM_TYPE).send(problem);
}

/** The errors of Fastify about a request in words of the catalogue. */
function ownError(error: unknown): unknown {
  const { code, statusCode } = error as Readonly<{ code?: string; statusCode?: number }>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new BursarError('REQUEST_TOO_LARGE', { bytesMax: String(BODY_BYTES_MAX) });
  }
  if (code?.startsWith('FST_ERR_CTP_') || (error instanceof SyntaxError && statusCode === 400)) {
    return new BursarError('REQUEST_INVALID', { problems: 'the body: must be JSON' });
  }
  return error;
}
