import { z } from 'zod';
import type { Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import type { MassPayouts, StoredMassPayout } from '../store/mass-payouts.ts';
import { RequiredText, Uuid } from './fields.ts';

/** The fields of a reference, for schemas with other fields besides. */
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

/** The accounts, the time and the modes of a lookup. */
export type LookupCaller = Readonly<{ accounts: readonly string[]; nowMs: number; modes: Modes }>;

/** Returns the mass payout of a reference, if one of the caller's accounts has it. */
export function findMassPayout(
  massPayouts: MassPayouts,
  { id, idempotencyKey }: ReferenceLike,
  caller: LookupCaller,
): StoredMassPayout | null {
  if (idempotencyKey !== undefined) return findByKey(massPayouts, idempotencyKey, caller);
  const found = id === undefined ? null : massPayouts.byId(id);
  return found !== null && caller.accounts.includes(found.account) ? found : null;
}

/**
 * ASSUMED: when a key was used twice, as the mode `ignores-key` allows, a lookup finds the latest.
 */
function findByKey(
  massPayouts: MassPayouts,
  idempotencyKey: string,
  { accounts, nowMs, modes }: LookupCaller,
): StoredMassPayout | null {
  if (modes.lookupByKey === 'absent') return null;
  if (modes.lookupByKey === 'refused') {
    throw new Refused('FIELD_INVALID', 'idempotencyKey: this service has no lookup by key');
  }
  for (const account of accounts) {
    const found = massPayouts.byKey(account, idempotencyKey);
    if (found !== null && nowMs - found.createdMs >= modes.lookupLagMs) return found;
  }
  return null;
}
