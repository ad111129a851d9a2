import { z } from 'zod';
import type { AdminAnswer, AdminClock } from '../../admin/index.ts';
import { type ClockOffset, OffsetMs } from '../../clock-offset.ts';
import { Refused } from '../../core/refusals.ts';
import type { VirtualTime } from '../../virtual-time.ts';
import { adminRoute, Nothing } from './route.ts';
import { isoTime } from './times.ts';

export type ClockRouteDeps = Readonly<{
  offset: ClockOffset;
  virtualTime: VirtualTime;
  shownMs: () => number;
}>;

/** Ten years. A longer time is a typing error. */
const ADVANCE_MS_MAX = 10 * 365 * 24 * 60 * 60 * 1000;

/**
 * GET and PUT /sandbox/clock: the service's clock. With `{"offsetMs":null}` the settings decide
 * again. POST /sandbox/clock/advance lets time pass on a virtual clock, and answers when everything
 * that was due until then has happened.
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
  adminRoute({
    endpoint: 'POST /clock/advance',
    input: z.strictObject({ ms: z.int().min(0).max(ADVANCE_MS_MAX) }),
    answer: async ({ ms }): Promise<AdminAnswer<'POST /clock/advance'>> => {
      if (!deps.virtualTime.isVirtual) throw new Refused('CLOCK_NOT_VIRTUAL');
      await deps.virtualTime.advance(ms);
      return recordOf(deps);
    },
  }),
];

const recordOf = ({ offset, virtualTime, shownMs }: ClockRouteDeps): AdminClock => ({
  time: isoTime(shownMs()),
  isVirtual: virtualTime.isVirtual,
  offsetMs: offset.offsetMs(),
  override: offset.override(),
});
