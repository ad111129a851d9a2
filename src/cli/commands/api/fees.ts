import { z } from 'zod';
import type { FeeItem } from '@bursar/merchant-api';
import { FEE_OPERATION_TYPES, FEE_TYPES } from '@bursar/merchant-api/spec';
import type { Context } from '../../context.ts';
import { feesText } from '../../print/api-money-text.ts';
import { amount, currency } from './fields.ts';
import { readPayload } from './payload.ts';
import { runApi } from './run.ts';

export type FeesFlags = Readonly<{
  json?: string;
  amount?: string;
  currency?: string;
  op?: string;
  feeType?: string;
}>;

const Item = z.strictObject({
  baseAmount: amount,
  currency,
  opType: z.enum(FEE_OPERATION_TYPES).default('WITHDRAWAL'),
  feeType: z.enum(FEE_TYPES).default('SERVICE'),
});

const Payload = z.strictObject({
  items: z.array(Item, { error: 'must be a list' }).min(1, { error: 'must not be empty' }),
});

/** `bursar api fees`: what the service would charge, for one amount by flags or for several by JSON. */
export async function fees(flags: FeesFlags, context: Context): Promise<number> {
  const items = await readItems(flags, context);
  return runApi(
    {
      schema: 'bursar.api-fees/v1',
      call: async (api) => {
        const answer = await api.calculateFees({ items });
        return { ...answer, value: { items: answer.value } };
      },
      text: feesText,
    },
    context,
  );
}

async function readItems(flags: FeesFlags, context: Context): Promise<readonly FeeItem[]> {
  const { json } = flags;
  const typed = {
    baseAmount: ['--amount', flags.amount],
    currency: ['--currency', flags.currency],
    opType: ['--op', flags.op],
    feeType: ['--fee-type', flags.feeType],
  } as const;
  if (json === undefined) return [await readPayload(Item, { json, typed }, context)];
  const { items } = await readPayload(Payload, { json, typed }, context);
  return items;
}
