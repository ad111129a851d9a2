import { z } from 'zod';
import {
  FEE_OPERATION_TYPES,
  FEE_TYPES,
  type FeeOperationType,
  type FeeType,
} from '../spec/fees.ts';
import { FEE_ITEMS_MIN } from '../spec/limits.ts';
import { amountText, type InputSchema, requiredText } from './check-input.ts';

/** One operation to calculate the fees of. Spec: "Fee calculation", request. */
export type FeeItem = {
  /**
   * Amount in units of `currency`, as plain decimal text such as '12.5'. No sign, no exponent, at
   * most 30 digits before the point and 36 after it.
   */
  readonly baseAmount: string;
  /** Currency ticker, for example of the form `<TICKER>_<NETWORK>`. Not empty. */
  readonly currency: string;
  /** Type of the operation: `INVOICE` or `WITHDRAWAL`. */
  readonly opType: FeeOperationType;
  /** Type of the fee: `SERVICE`, `FIX` or `PERCENT`. */
  readonly feeType: FeeType;
};

/** The operations to calculate the fees of. Spec: "Fee calculation", request. */
export type FeesInput = {
  /** One item for each operation; at least one (`FEE_ITEMS_MIN`). */
  readonly items: readonly FeeItem[];
};

export const FeesSchema: InputSchema<FeesInput> = z.strictObject({
  items: z
    .array(
      z.strictObject({
        baseAmount: amountText,
        currency: requiredText,
        opType: z.enum(FEE_OPERATION_TYPES),
        feeType: z.enum(FEE_TYPES),
      }),
    )
    .min(FEE_ITEMS_MIN),
});
