import { z } from 'zod';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { FAULT_PAGES, type Fault } from '../../core/faults.ts';
import { FAULT_KINDS, FaultRuleInput } from '../../fault-rules.ts';
import type { Faults } from '../../faults.ts';
import { type AdminRoute, type AdminValue, adminRoute, Nothing } from './route.ts';

const PATH = '/sandbox/faults';

/**
 * GET, POST and DELETE /sandbox/faults: what goes wrong on purpose, and how often it did; DELETE takes
 * all of them away, or the one that `?id=` names.
 */
export const faultRoutes = (faults: Faults) => [
  adminRoute({
    method: 'GET',
    path: PATH,
    input: Nothing,
    answer: () => ({ faults: faults.list().map(faultRecord) }),
  }),
  adminRoute({
    method: 'POST',
    path: PATH,
    input: FaultRuleInput,
    answer: (rule) => faultRecord(faults.add(rule)),
  }),
  adminRoute({
    method: 'DELETE',
    path: PATH,
    input: z.strictObject({ id: z.coerce.number().int().optional() }),
    answer: ({ id }) => {
      faults.remove(id);
      return { faults: faults.list().map(faultRecord) };
    },
  }),
];

/** GET /sandbox/faults/kinds: every kind of fault with the fields that it needs and may have. */
export const faultKindsRoute = (): AdminRoute =>
  adminRoute({
    method: 'GET',
    path: `${PATH}/kinds`,
    input: Nothing,
    answer: () => ({ operations: OPERATIONS, pages: FAULT_PAGES, kinds: FAULT_KINDS }),
  });

const faultRecord = ({ id, rule, drawn, fired }: Fault): AdminValue => ({
  id,
  ...rule,
  drawn,
  fired,
});
