import type { Context } from '../../context.ts';
import { runApi } from './run.ts';
import { type ReferenceFlags, readReference, referenceText } from './reference.ts';

/** `bursar api payout`: a mass payout and its state, by id or idempotency key. */
export async function payout(flags: ReferenceFlags, context: Context): Promise<number> {
  const reference = readReference(flags);
  const lookedFor = referenceText(reference);
  const schema = 'bursar.api-payout/v1';
  return runApi({ schema, call: (api) => api.readMassPayout(reference), lookedFor }, context);
}
