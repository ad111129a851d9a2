import { z } from 'zod';
import type { MassPayouts, StoredMassPayout } from '../store/mass-payouts.ts';
import { RequiredText, Uuid } from './fields.ts';

/** Spec: "Generic lookup", payload. ASSUMED: one of the two, not both. */
export const Reference = z
  .strictObject({ id: RequiredText.optional(), idempotencyKey: Uuid.optional() })
  .refine(
    ({ id, idempotencyKey }) => (id === undefined) !== (idempotencyKey === undefined),
    'must have either id or idempotencyKey',
  );

/** The mass payout that a reference names, if one of these accounts has it. */
export function findMassPayout(
  massPayouts: Pick<MassPayouts, 'byId' | 'byKey'>,
  { id, idempotencyKey }: z.infer<typeof Reference>,
  accounts: readonly string[],
): StoredMassPayout | null {
  const candidates =
    id !== undefined
      ? [massPayouts.byId(id)]
      : accounts.map((account) => massPayouts.byKey(account, idempotencyKey ?? ''));
  const found = candidates.find((candidate) => candidate !== null);
  return found !== undefined && accounts.includes(found.account) ? found : null;
}
