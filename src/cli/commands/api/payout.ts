import type { Context } from '../../context.ts';
import { massPayoutText } from '../../print/api-payout-text.ts';
import { type ReferenceFlags, readReference, referenceText } from './reference.ts';
import { runApi } from './run.ts';

/** `bursar api payout`: a mass payout and its state, by id or idempotency key. */
export async function payout(flags: ReferenceFlags, context: Context): Promise<number> {
  const reference = await readReference(flags, context);
  return runApi(
    {
      schema: 'bursar.api-payout/v1',
      call: (api) => api.readMassPayout(reference),
      lookedFor: referenceText(reference),
      text: (record) => massPayoutText(record, context),
    },
    context,
  );
}
