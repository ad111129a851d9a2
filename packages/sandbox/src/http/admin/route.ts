import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AdminAnswer, AdminEndpoint } from '../../admin/index.ts';
import { Refused } from '../../core/refusals.ts';
import { checkContentType } from '../body.ts';
import { checkFields } from '../operation.ts';
import { send } from '../send.ts';
import { refuseOtherPages } from './other-pages.ts';

/** One endpoint of the admin API. Requests to it are not signed. */
export type AdminRoute = Readonly<{
  endpoint: AdminEndpoint;
  /** Takes the query of a GET or DELETE, the body of a POST or PUT. Returns plain JSON. */
  answer(input: unknown): object | Promise<object>;
}>;

/** A route with an answer of any length: one JSON document on each line. */
export type AdminLines = Readonly<{ path: string; lines(): Readable }>;

export type AdminRouteDefinition<Endpoint extends AdminEndpoint, Input> = Readonly<{
  endpoint: Endpoint;
  input: z.ZodType<Input>;
  answer(input: Input): AdminAnswer<Endpoint> | Promise<AdminAnswer<Endpoint>>;
}>;

export const adminRoute = <Endpoint extends AdminEndpoint, Input>({
  endpoint,
  input,
  answer,
}: AdminRouteDefinition<Endpoint, Input>): AdminRoute => ({
  endpoint,
  answer: (unchecked) => answer(checkFields(input, unchecked)),
});

/** The input of a route without any. */
export const Nothing = z.strictObject({});

/** The query of a list: items after number `after`, at most `limit` of them. */
export const PageQuery = {
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
};

/** The query of a list that can start at either end. */
export const OrderedPageQuery = {
  ...PageQuery,
  order: z.enum(['oldest', 'newest']).default('oldest'),
  after: PageQuery.after.removeDefault().optional(),
};

/** Returns the `next` of a page: the number of its last item, or null when the list ends there. */
export const nextOf = (page: readonly Readonly<{ n: number }>[], limit: number): number | null =>
  page.length === limit ? (page.at(-1)?.n ?? null) : null;

/** Called with each change, once it was made. */
export type NoteChange = (endpoint: AdminEndpoint, input: unknown) => void;

export function serveAdmin(
  app: FastifyInstance,
  { endpoint, answer }: AdminRoute,
  noteChange: NoteChange,
): void {
  const [method = '', path = ''] = endpoint.split(' ');
  app.route({
    method,
    url: `/sandbox${path}`,
    onRequest: refuseOtherPages,
    handler: async (request, reply) => {
      const isChange = method === 'POST' || method === 'PUT';
      const input = isChange ? bodyOf(request) : request.query;
      const value = await answer(input);
      if (method !== 'GET') noteChange(endpoint, input);
      return send(reply, { status: 200, body: JSON.stringify(value) });
    },
  });
}

export function serveAdminLines(app: FastifyInstance, { path, lines }: AdminLines): void {
  app.get(path, { onRequest: refuseOtherPages }, (_request, reply) =>
    reply.type('application/x-ndjson').send(lines()),
  );
}

function bodyOf(request: FastifyRequest): unknown {
  // Without asking the server, a web page in a browser can only send other content types to this
  // address.
  checkContentType(request.headers['content-type']);
  try {
    return JSON.parse(String(request.body));
  } catch {
    throw new Refused('JSON_INVALID');
  }
}
