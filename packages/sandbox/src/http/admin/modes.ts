import type { AdminAnswer, AdminModes } from '../../admin/index.ts';
import { MODE_RANGES, type ModeSwitch, ModesInput, modesRecord } from '../../modes.ts';
import { type AdminRoute, adminRoute, Nothing } from './route.ts';

/**
 * GET and PUT /sandbox/modes: the modes in force. PUT replaces the modes that an earlier PUT set.
 * Modes that it leaves out follow the settings.
 */
export const modeRoutes = (modes: ModeSwitch) => [
  adminRoute({ endpoint: 'GET /modes', input: Nothing, answer: () => recordOf(modes) }),
  adminRoute({
    endpoint: 'PUT /modes',
    input: ModesInput,
    answer: (wanted): AdminAnswer<'PUT /modes'> => {
      modes.override(wanted);
      return recordOf(modes);
    },
  }),
];

/** GET /sandbox/modes/values: the values of each mode, and those of the settings. */
export const modeValuesRoute = (modes: ModeSwitch): AdminRoute =>
  adminRoute({
    endpoint: 'GET /modes/values',
    input: Nothing,
    answer: (): AdminAnswer<'GET /modes/values'> => ({
      values: MODE_RANGES,
      settings: modesRecord(modes.settings()),
    }),
  });

const recordOf = (modes: ModeSwitch): AdminModes => ({
  modes: modesRecord(modes.current()),
  overrides: modesRecord(modes.overrides()),
});
