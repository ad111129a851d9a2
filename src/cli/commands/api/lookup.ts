import type { Context } from '../../context.ts';
import { lookupText } from '../../print/api-payout-text.ts';
import { type ReferenceFlags, readReference, referenceText } from './reference.ts';
import { runApi } from './run.ts';

/** `bursar api lookup`: a payout or mass payout by id or idempotency key. */
export async function lookup(flags: ReferenceFlags, context: Context): Promise<number> {
  const reference = await readReference(flags, context);
  return runApi(
    {
      schema: 'bursar.api-lookup/v1',
      call: (api) => api.lookup(reference),
      lookedFor: referenceText(reference),
      text: (record) => lookupText(record, context),
    },
    context,
  );
}
