import type { AdminAnswer, AdminFault } from '../../admin/index.ts';
import { z } from 'zod';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { FAULT_PAGES, type Fault } from '../../core/faults.ts';
import { FAULT_KINDS, FaultRuleInput } from '../../fault-rules.ts';
import type { Faults } from '../../faults.ts';
import { type AdminRoute, adminRoute, Nothing } from './route.ts';

/**
 * GET, POST and DELETE /sandbox/faults: the faults in force with their counts. DELETE removes all
 * of them, or the one that `?id=` names.
 */
export const faultRoutes = (faults: Faults) => [
  adminRoute({
    endpoint: 'GET /faults',
    input: Nothing,
    answer: (): AdminAnswer<'GET /faults'> => ({ faults: faults.list().map(faultRecord) }),
  }),
  adminRoute({
    endpoint: 'POST /faults',
    input: FaultRuleInput,
    answer: (rule) => faultRecord(faults.add(rule)),
  }),
  adminRoute({
    endpoint: 'DELETE /faults',
    input: z.strictObject({ id: z.coerce.number().int().optional() }),
    answer: ({ id }): AdminAnswer<'DELETE /faults'> => {
      faults.remove(id);
      return { faults: faults.list().map(faultRecord) };
    },
  }),
];

/** GET /sandbox/faults/kinds: every kind of fault with the fields that it needs and may have. */
export const faultKindsRoute = (): AdminRoute =>
  adminRoute({
    endpoint: 'GET /faults/kinds',
    input: Nothing,
    answer: (): AdminAnswer<'GET /faults/kinds'> => ({
      operations: OPERATIONS,
      pages: FAULT_PAGES,
      kinds: FAULT_KINDS,
    }),
  });

const faultRecord = ({ id, rule, drawn, fired }: Fault): AdminFault => ({
  id,
  ...rule,
  drawn,
  fired,
});
