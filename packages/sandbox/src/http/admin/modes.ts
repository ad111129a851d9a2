import { MODE_RANGES, type ModeSwitch, ModesInput, modesRecord } from '../../modes.ts';
import { type AdminRoute, type AdminValue, adminRoute, Nothing } from './route.ts';

const PATH = '/sandbox/modes';

/**
 * GET and PUT /sandbox/modes: how the service is played. PUT replaces what was set here before; what
 * it leaves out follows the settings.
 */
export const modeRoutes = (modes: ModeSwitch) => [
  adminRoute({ method: 'GET', path: PATH, input: Nothing, answer: () => recordOf(modes) }),
  adminRoute({
    method: 'PUT',
    path: PATH,
    input: ModesInput,
    answer: (wanted) => {
      modes.override(wanted);
      return recordOf(modes);
    },
  }),
];

/** GET /sandbox/modes/values: what each mode can be, and what the settings say. */
export const modeValuesRoute = (modes: Pick<ModeSwitch, 'settings'>): AdminRoute =>
  adminRoute({
    method: 'GET',
    path: `${PATH}/values`,
    input: Nothing,
    answer: () => ({ values: MODE_RANGES, settings: modesRecord(modes.settings()) }),
  });

const recordOf = (modes: ModeSwitch): AdminValue => ({
  modes: modesRecord(modes.current()),
  overrides: modesRecord(modes.overrides()),
});
