import { z } from 'zod';
import type { Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import type { MassPayouts, StoredMassPayout } from '../store/mass-payouts.ts';
import { RequiredText, Uuid } from './fields.ts';

/** The fields of a reference, for schemas in which they stand among others. */
export const ReferenceFields = { id: RequiredText.optional(), idempotencyKey: Uuid.optional() };

type ReferenceLike = Readonly<{ id?: string | undefined; idempotencyKey?: string | undefined }>;

export const hasOneReference = ({ id, idempotencyKey }: ReferenceLike): boolean =>
  (id === undefined) !== (idempotencyKey === undefined);

export const ONE_REFERENCE = 'must have either id or idempotencyKey';

/** Spec: "Generic lookup", payload. ASSUMED: one of the two, not both. */
export const Reference = z
  .strictObject(ReferenceFields)
  .refine(hasOneReference, ONE_REFERENCE)
  .meta({ oneOf: [{ required: ['id'] }, { required: ['idempotencyKey'] }] });

/** Who looks for something, when and how. */
export type Seeker = Readonly<{ accounts: readonly string[]; nowMs: number; modes: Modes }>;

/** The mass payout that a reference names, if one of the seeker's accounts has it. */
export function findMassPayout(
  massPayouts: MassPayouts,
  { id, idempotencyKey }: ReferenceLike,
  seeker: Seeker,
): StoredMassPayout | null {
  if (idempotencyKey !== undefined) return findByKey(massPayouts, idempotencyKey, seeker);
  const found = id === undefined ? null : massPayouts.byId(id);
  return found !== null && seeker.accounts.includes(found.account) ? found : null;
}

/** ASSUMED: where a key was used twice, as the mode `ignores-key` lets it be, the latest is found. */
function findByKey(
  massPayouts: MassPayouts,
  idempotencyKey: string,
  { accounts, nowMs, modes }: Seeker,
): StoredMassPayout | null {
  if (modes.lookupByKey === 'absent') return null;
  if (modes.lookupByKey === 'refused') {
    throw new Refused('FIELD_INVALID', 'idempotencyKey: nothing is found by it');
  }
  for (const account of accounts) {
    const found = massPayouts.byKey(account, idempotencyKey);
    if (found !== null && nowMs - found.createdMs >= modes.lookupLagMs) return found;
  }
  return null;
}
