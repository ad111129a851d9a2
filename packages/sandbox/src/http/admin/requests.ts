import { z } from 'zod';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import type { NumberedRequest, Requests } from '../../store/requests.ts';
import { DateTime, Uuid } from '../fields.ts';
import { type AdminValue, adminRoute, nextOf, OrderedPageQuery } from './route.ts';

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
      ...OrderedPageQuery,
    }),
    answer: ({ after = null, since, ...asked }) => {
      const sinceMs = since === undefined ? undefined : Date.parse(since);
      const page = requests.page({ ...asked, after, sinceMs });
      return {
        requests: page.map(requestRecord),
        next: nextOf(page, asked.limit),
      };
    },
  });

const requestRecord = ({ n, atMs, ...rest }: NumberedRequest): AdminValue => ({
  n,
  time: new Date(atMs).toISOString(),
  ...rest,
});
