import type { AdminAnswer, AdminOperation } from '../../admin/index.ts';
import { adminRoute, Nothing } from './route.ts';

/** GET /sandbox/operations: the served operations with their methods and paths. */
export const operationsRoute = (operations: readonly AdminOperation[]) =>
  adminRoute({
    endpoint: 'GET /operations',
    input: Nothing,
    answer: (): AdminAnswer<'GET /operations'> => ({
      operations: operations.map(({ operation, method, path }) => ({ operation, method, path })),
    }),
  });
