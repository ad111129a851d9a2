import { z } from 'zod';
import { parseWithdrawalId } from '../../core/mass-payout.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { ExactJsonValue } from '../exact-json.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { storedRecord, withdrawalRecord } from '../records.ts';
import { findMassPayout, Reference, type LookupCaller } from '../reference.ts';

export const LookupBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: Reference,
});

/**
 * Finds a mass payout by id or key, and a single withdrawal by its id.
 * ASSUMED: the spec does not show the answer. Here it is the record itself.
 */
export const lookupOperation = (store: SandboxStore) =>
  serveOperation({
    body: LookupBody,
    writes: false,
    answer: ({ body: { payload }, ...caller }) =>
      findWithdrawal(store, payload.id, caller) ??
      storedRecord(store.withdrawals, findMassPayout(store.massPayouts, payload, caller)),
  });

function findWithdrawal(
  { massPayouts, withdrawals }: SandboxStore,
  id: string | undefined,
  caller: LookupCaller,
): ExactJsonValue | null {
  const place = id === undefined ? null : parseWithdrawalId(id);
  if (place === null) return null;
  const massPayout = findMassPayout(massPayouts, { id: place.massPayoutId }, caller);
  if (massPayout === null) return null;
  const withdrawal = withdrawals.get(massPayout.n, place.position);
  if (withdrawal === null) return null;
  const failure = withdrawals.failure(massPayout.n, place.position);
  return withdrawalRecord(massPayout, withdrawal, failure);
}
