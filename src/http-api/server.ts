import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AnyOperation, isListing } from '../app/operation.ts';
import { openList } from '../app/open-list.ts';
import { ALL_OPERATIONS } from '../app/operations.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { OperationContext, Progress } from '../operations/context.ts';
import { type ApiCaller, callerOf, type CallerSources, refuseRole } from './caller.ts';
import { addRefusalRoutes, addFileRoutes, type ContextFor } from './file-routes.ts';
import { inputReader, type RequestParts } from '../app/input-reader.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { openapiDocument } from './openapi.ts';
import { collectRoutes, refuseOtherMethods } from './other-methods.ts';
import { PROBLEM_TYPE, problemOfError } from './problem.ts';
import {
  EVENTS_TYPE,
  LINES_TYPE,
  sendEvents,
  sendLines,
  sendList,
  type StillIn,
  whileAllowed,
} from './replies.ts';
import { limitOpenRequests, networkOf } from './limits.ts';
import { addSessionRoutes } from './session-routes.ts';
import { serveWebApp } from './web-files.ts';

/** Bytes of a body. Files are uploaded by themselves. */
const BODY_BYTES_MAX = 1_048_576;
/** Characters of a part of a path. Longer ones than any operation takes reach it, so that it names what is wrong. */
const PARAM_LENGTH_MAX = 1_000;
/** Requests of one address in a minute about signing in, each of which may cost a verification of a signature. */
const SIGN_IN_REQUESTS_MAX = 60;

/** How long one request may take to arrive, in milliseconds: as long as a file of the largest size needs at 5 Mbit/s. */
const REQUEST_MS_MAX = 3_600_000;

type Write = (facts: object, message: string) => void;

export type HttpApiDeps = CallerSources &
  Readonly<{
    /** The context of an operation that a caller asks for. */
    contextOf(call: OperationCall): OperationContext;
    /** Where people can sign in besides their passkeys; null: nowhere. */
    oidc: OidcProvider | null;
    /** Of one token, or of one session. */
    requestsPerMinute: number;
    /** The folder with the files of the web app. */
    webFolder: string;
    version: string;
    log: Readonly<{ info: Write; error: Write }>;
  }>;

/** Who calls, and where the progress goes. `left` aborts when the caller goes away. */
export type OperationCall = Readonly<{ caller: ApiCaller; progress: Progress; left: AbortSignal }>;

/** The operations over HTTP: `/v1/...`, described by `GET /v1/openapi.json`. Errors are RFC 9457 problems. */
export async function createHttpApi(deps: HttpApiDeps): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    forceCloseConnections: true,
    // Such fields are as unknown as others are. They could only change objects of this program.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    // Errors of the path itself do not reach the error handler.
    frameworkErrors: (error, request, reply) => void sendProblem(error, { request, reply }, deps),
    // A proxy on this machine names the address of its caller.
    trustProxy: 'loopback',
  });
  const callers = new WeakMap<FastifyRequest, ApiCaller>();
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
    deps.log.info({ ...facts, ...namedIn(callers.get(request)) }, 'request');
  });
  serveWebApp(server, deps.webFolder);
  server.get('/v1/openapi.json', async () => openapiDocument(ALL_OPERATIONS, deps.version));
  await server.register(async (open) => {
    open.addHook('onRequest', keepPrivate);
    await limitRequests(open, SIGN_IN_REQUESTS_MAX, ({ ip }) => networkOf(ip));
    const routes = collectRoutes(open);
    addSessionRoutes(open, {
      ...deps,
      signedIn: ({ person, way }) => deps.log.info({ person: person.name, way }, 'signed in'),
      refused: (code, reason) => deps.log.info({ code, reason }, 'sign-in refused'),
    });
    refuseOtherMethods(open, routes);
  });
  await server.register(async (guarded) => {
    guarded.addHook('onRequest', keepPrivate);
    guarded.addHook('onRequest', async (request) => {
      callers.set(request, callerOf(request, deps));
    });
    limitOpenRequests(guarded, (request) => callers.get(request)?.sha256);
    const routes = collectRoutes(guarded);
    const secretOf = (request: FastifyRequest): string => callers.get(request)?.sha256 ?? '';
    await limitRequests(guarded, deps.requestsPerMinute, secretOf);
    const calledBy = (request: FastifyRequest): Called => {
      const caller = callers.get(request);
      if (caller === undefined) throw new BursarError('TOKEN_MISSING', {});
      return { caller, deps };
    };
    const contextFor: ContextFor = (role, request, reply) => {
      const { caller } = calledBy(request);
      refuseRole(role, caller);
      return deps.contextOf({ caller, progress: SILENT, left: leftOf(reply).signal });
    };
    for (const operation of ALL_OPERATIONS) addRoute(guarded, operation, calledBy);
    addRefusalRoutes(guarded, contextFor);
    await guarded.register(async (files) => addFileRoutes(files, contextFor));
    refuseOtherMethods(guarded, routes);
  });
  return server;
}

/** Answers are for the caller alone, and each is of the type that it names. */
async function keepPrivate(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
}

/** Counts the requests of each caller in a minute. More get 429. */
const limitRequests = async (
  server: FastifyInstance,
  max: number,
  keyGenerator: (request: FastifyRequest) => string,
): Promise<void> => {
  await server.register(rateLimit, {
    max,
    timeWindow: '1 minute',
    keyGenerator,
    errorResponseBuilder: (_request, { ttl }) =>
      new BursarError('REQUESTS_TOO_MANY', { seconds: String(Math.ceil(ttl / 1_000)) }),
  });
};

/** The fields of a caller in a line of the log. */
const namedIn = (caller: ApiCaller | undefined): object =>
  caller === undefined ? {} : { [caller.kind]: caller.name };

type Called = Readonly<{ caller: ApiCaller; deps: HttpApiDeps }>;

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
    // A HEAD would run the operation to its end for no reader, and a batch is followed for days.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const called = calledBy(request);
      refuseRole(operation.role, called.caller);
      const { params, query, body } = request;
      const input = readInput({
        params: params as RequestParts['params'],
        query: query as RequestParts['query'],
        body,
      });
      return answer({ operation, input: input as never, called }, request, reply);
    },
  });
}

type Job = Readonly<{ operation: AnyOperation; input: never; called: Called }>;

async function answer(
  { operation, input, called: { caller, deps } }: Job,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = leftOf(reply);
  const accept = request.headers.accept ?? '';
  const contextWith = (progress: Progress) =>
    deps.contextOf({ caller, progress, left: left.signal });
  const stillIn = recheck(() => refuseRole(operation.role, callerOf(request, deps)), left, deps);
  if (accept.includes(LINES_TYPE)) {
    return sendLines(reply, async (out, progress) => {
      const context = contextWith(progress);
      if (!isListing(operation)) return out({ result: await operation.run(input, context) });
      return operation.run(input, context, async ({ about, items }) => {
        await out({ about });
        for await (const item of whileAllowed(items, stillIn)) await out({ item });
      });
    });
  }
  const context = contextWith(SILENT);
  if (!isListing(operation)) {
    const result = await operation.run(input, context);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
  }
  const list = await openList(operation, input, context);
  if (accept.includes(EVENTS_TYPE)) return sendEvents(reply, list, { stillIn });
  const items = whileAllowed(list.items, stillIn);
  return sendList(reply, operation.names, { ...list, items });
}

/** Between two looks at the rights of a caller, in milliseconds: a list may have a million items. */
const RECHECK_MS = 1_000;

/** Lets a caller in again while an answer lasts, and stops its operation when that is refused. */
function recheck(letIn: () => void, left: AbortController, { nowMs }: HttpApiDeps): StillIn {
  let checkedMs = nowMs();
  return () => {
    if (nowMs() - checkedMs < RECHECK_MS) return;
    checkedMs = nowMs();
    try {
      letIn();
    } catch (error) {
      left.abort();
      throw error;
    }
  };
}

/** Progress is for people. A program reads results. */
const SILENT: Progress = { say: () => undefined, show: () => undefined, clear: () => undefined };

/** Aborts when the caller goes away before the answer is whole. */
function leftOf({ raw }: FastifyReply): AbortController {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller;
}

function sendProblem(
  error: unknown,
  { request, reply }: Readonly<{ request: FastifyRequest; reply: FastifyReply }>,
  { log }: HttpApiDeps,
): FastifyReply {
  const problem = problemOfError(ownError(error));
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
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || code === 'FST_ERR_BAD_URL') {
    return new BursarError('REQUEST_INVALID', { problems: 'the path: no router can read it' });
  }
  if (code?.startsWith('FST_ERR_CTP_') || (error instanceof SyntaxError && statusCode === 400)) {
    return new BursarError('REQUEST_INVALID', { problems: 'the body: must be JSON' });
  }
  return error;
}
