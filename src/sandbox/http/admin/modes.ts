import { type ModeSwitch, ModesInput, modesRecord } from '../../modes.ts';
import { type AdminValue, adminRoute, Nothing } from './route.ts';

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

const recordOf = (modes: ModeSwitch): AdminValue => ({
  modes: modesRecord(modes.current()),
  overrides: modesRecord(modes.overrides()),
});
