import { z } from 'zod';
import type { AdminAnswer, AdminFates } from '../../admin/index.ts';
import { FATE_NAMES } from '../../core/fates.ts';
import { type FateRules, FateRulesInput } from '../../fates.ts';
import { adminRoute, Nothing } from './route.ts';

/**
 * GET and PUT /sandbox/fates: the rules that decide the results of withdrawals. PUT replaces them,
 * and with null the settings decide again.
 */
export const fateRoutes = (fates: FateRules) => [
  adminRoute({ endpoint: 'GET /fates', input: Nothing, answer: () => recordOf(fates) }),
  adminRoute({
    endpoint: 'PUT /fates',
    input: z.strictObject({ fates: FateRulesInput.nullable() }),
    answer: ({ fates: wanted }): AdminAnswer<'PUT /fates'> => {
      fates.change(wanted);
      return recordOf(fates);
    },
  }),
];

const recordOf = (fates: FateRules): AdminFates => ({
  fates: fates.current(),
  isOverride: fates.override() !== null,
  names: FATE_NAMES,
});
