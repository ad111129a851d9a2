import { z } from 'zod';
import type { NumberedRequest, Requests } from '../../store/requests.ts';
import { type AdminValue, adminRoute, PageQuery } from './route.ts';

/** GET /sandbox/requests: a page of the log of requests. */
export const requestsRoute = (requests: Requests) =>
  adminRoute({
    method: 'GET',
    path: '/sandbox/requests',
    input: z.strictObject(PageQuery),
    answer: ({ after, limit }) => {
      const page = requests.page(after, limit);
      return {
        requests: page.map(requestRecord),
        next: page.length === limit ? (page.at(-1)?.n ?? null) : null,
      };
    },
  });

const requestRecord = ({ atMs, ...rest }: NumberedRequest): AdminValue => ({
  ...rest,
  time: new Date(atMs).toISOString(),
});
