import { z } from 'zod';
import { type ClockOffset, OffsetMs } from '../../clock-offset.ts';
import { type AdminValue, adminRoute, Nothing } from './route.ts';

const PATH = '/sandbox/clock';

export type ClockRouteDeps = Readonly<{ offset: ClockOffset; shownMs: () => number }>;

/**
 * GET and PUT /sandbox/clock: the clock that the service shows. `{"offsetMs":null}` gives it back to
 * the settings.
 */
export const clockRoutes = (deps: ClockRouteDeps) => [
  adminRoute({ method: 'GET', path: PATH, input: Nothing, answer: () => recordOf(deps) }),
  adminRoute({
    method: 'PUT',
    path: PATH,
    input: z.strictObject({ offsetMs: OffsetMs }),
    answer: ({ offsetMs }) => {
      deps.offset.change(offsetMs);
      return recordOf(deps);
    },
  }),
];

const recordOf = ({ offset, shownMs }: ClockRouteDeps): AdminValue => ({
  time: new Date(shownMs()).toISOString(),
  offsetMs: offset.offsetMs(),
  override: offset.override(),
});
