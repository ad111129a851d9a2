import { z } from 'zod';
import { FEE_OPERATION_TYPES, FEE_ITEMS_MIN } from '@bursar/merchant-api/spec';
import { AmountValue, CurrencyValue } from './values.ts';

/** Spec: "Fee calculation", calculation result. */
export const FeeCalculation = z
  .object({
    amount: AmountValue,
    fee: AmountValue,
    fixedFee: AmountValue.optional(),
    percentFee: AmountValue.optional(),
  })
  .describe('The amounts of one side: the sender or the receiver.');

/** Spec: "Fee calculation", response. */
export const FeeResults = z
  .object({
    items: z
      .array(
        z.object({
          amount: AmountValue,
          currency: CurrencyValue,
          opType: z.enum(FEE_OPERATION_TYPES),
          feeReceiver: FeeCalculation,
          feeSender: FeeCalculation,
        }),
      )
      .min(FEE_ITEMS_MIN),
  })
  .describe('One result for each item of the request, in the same order.');
