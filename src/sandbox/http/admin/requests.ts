import { z } from 'zod';
import { OPERATIONS } from '../../../spec/endpoints.ts';
import type { NumberedRequest, Requests } from '../../store/requests.ts';
import { DateTime, Uuid } from '../fields.ts';
import { type AdminValue, adminRoute, PageQuery } from './route.ts';

/** GET /sandbox/requests: a page of the log of requests, all of them or those that are asked for. */
export const requestsRoute = (requests: Requests) =>
  adminRoute({
    method: 'GET',
    path: '/sandbox/requests',
    input: z.strictObject({
      operation: z.enum(OPERATIONS).optional(),
      status: z.coerce.number().int().optional(),
      idempotencyKey: Uuid.optional(),
      since: DateTime.optional(),
      ...PageQuery,
    }),
    answer: ({ after, limit, since, ...filters }) => {
      const sinceMs = since === undefined ? undefined : Date.parse(since);
      const page = requests.page({ ...filters, afterN: after, limit, sinceMs });
      return {
        requests: page.map(requestRecord),
        next: page.length === limit ? (page.at(-1)?.n ?? null) : null,
      };
    },
  });

const requestRecord = ({ n, atMs, ...rest }: NumberedRequest): AdminValue => ({
  n,
  time: new Date(atMs).toISOString(),
  ...rest,
});
