import type { AdminAnswer } from '../../admin/index.ts';
import type { Operation } from '@bursar/merchant-api/spec';
import { adminRoute, Nothing } from './route.ts';

export type OperationPlace = Readonly<{ operation: Operation; path: string }>;

/** GET /sandbox/operations: which operations are served, and where. */
export const operationsRoute = (operations: readonly OperationPlace[]) =>
  adminRoute({
    endpoint: 'GET /operations',
    input: Nothing,
    answer: (): AdminAnswer<'GET /operations'> => ({
      operations: operations.map(({ operation, path }) => ({ operation, path })),
    }),
  });
