import { adminRoute, Nothing } from './route.ts';

/** GET /sandbox/health: answers as soon as the sandbox works; `time` is the time of its clock. */
export const healthRoute = (nowMs: () => number) =>
  adminRoute({
    method: 'GET',
    path: '/sandbox/health',
    input: Nothing,
    answer: () => ({ status: 'ok', time: new Date(nowMs()).toISOString() }),
  });
