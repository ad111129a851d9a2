import type { AdminAnswer, AdminClock } from '../../admin/index.ts';
import { z } from 'zod';
import { type ClockOffset, OffsetMs } from '../../clock-offset.ts';
import { adminRoute, Nothing } from './route.ts';
import { isoTime } from './times.ts';

export type ClockRouteDeps = Readonly<{ offset: ClockOffset; shownMs: () => number }>;

/**
 * GET and PUT /sandbox/clock: the service's clock. With `{"offsetMs":null}` the settings decide
 * again.
 */
export const clockRoutes = (deps: ClockRouteDeps) => [
  adminRoute({ endpoint: 'GET /clock', input: Nothing, answer: () => recordOf(deps) }),
  adminRoute({
    endpoint: 'PUT /clock',
    input: z.strictObject({ offsetMs: OffsetMs }),
    answer: ({ offsetMs }): AdminAnswer<'PUT /clock'> => {
      deps.offset.change(offsetMs);
      return recordOf(deps);
    },
  }),
];

const recordOf = ({ offset, shownMs }: ClockRouteDeps): AdminClock => ({
  time: isoTime(shownMs()),
  offsetMs: offset.offsetMs(),
  override: offset.override(),
});
