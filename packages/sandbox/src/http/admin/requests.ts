import { z } from 'zod';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import type { AdminAnswer, AdminRequest } from '../../admin/index.ts';
import type { NumberedRequest, Requests } from '../../store/requests.ts';
import { DateTime, Uuid } from '../fields.ts';
import { adminRoute, nextOf, OrderedPageQuery } from './route.ts';
import { isoTime } from './times.ts';

/** GET /sandbox/requests: a page of the log of requests, with optional filters. */
export const requestsRoute = (requests: Requests) =>
  adminRoute({
    endpoint: 'GET /requests',
    input: z.strictObject({
      operation: z.enum(OPERATIONS).optional(),
      status: z.coerce.number().int().optional(),
      idempotencyKey: Uuid.optional(),
      since: DateTime.optional(),
      ...OrderedPageQuery,
    }),
    answer: ({ after = null, since, ...asked }): AdminAnswer<'GET /requests'> => {
      const sinceMs = since === undefined ? undefined : Date.parse(since);
      const page = requests.page({ ...asked, after, sinceMs });
      return {
        requests: page.map(requestRecord),
        next: nextOf(page, asked.limit),
      };
    },
  });

const requestRecord = (request: NumberedRequest): AdminRequest => ({
  n: request.n,
  time: isoTime(request.atMs),
  operation: request.operation,
  status: request.status,
  errorCode: request.errorCode,
  objectId: request.objectId,
  idempotencyKey: request.idempotencyKey,
  timestampMs: request.timestampMs,
  bodySha256: request.bodySha256,
  requestBytes: request.requestBytes,
  answerBytes: request.answerBytes,
  durationMs: request.durationMs,
  modes: request.modes,
  fault: request.fault,
});
