import { z } from 'zod';
import type { Store } from '../../store/store.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { storedRecord } from '../records.ts';
import { findMassPayout, Reference } from '../reference.ts';

/**
 * Spec: "Endpoints", POST /api/v1/payout/mass. ASSUMED: its body is not shown; here the one of a
 * lookup.
 */
export const massGetOperation = ({
  massPayouts,
  withdrawals,
}: Pick<Store, 'massPayouts' | 'withdrawals'>) =>
  serveOperation({
    body: z.strictObject({
      timestamp: Timestamp,
      account: AccountId.optional(),
      payload: Reference,
    }),
    writes: false,
    answer: ({ body: { payload }, accounts }) =>
      storedRecord(withdrawals, findMassPayout(massPayouts, payload, accounts)),
  });
