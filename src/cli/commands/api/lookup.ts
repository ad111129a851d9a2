import type { Context } from '../../context.ts';
import { runApi } from './run.ts';
import { type ReferenceFlags, readReference, referenceText } from './reference.ts';

/** `bursar api lookup`: a payout or mass payout by id or idempotency key. */
export async function lookup(flags: ReferenceFlags, context: Context): Promise<number> {
  const reference = readReference(flags);
  const lookedFor = referenceText(reference);
  const schema = 'bursar.api-lookup/v1';
  return runApi({ schema, call: (api) => api.lookup(reference), lookedFor }, context);
}
