import type { AdminAnswer } from '../../admin/index.ts';
import { adminRoute, Nothing } from './route.ts';
import { isoTime } from './times.ts';

/**
 * GET /sandbox/health: answers as soon as the sandbox works. `time` is the time of the service's
 * clock.
 */
export const healthRoute = (nowMs: () => number) =>
  adminRoute({
    endpoint: 'GET /health',
    input: Nothing,
    answer: (): AdminAnswer<'GET /health'> => ({ status: 'ok', time: isoTime(nowMs()) }),
  });
