import { z } from 'zod';
import {
  FEE_OPERATION_TYPES,
  FEE_TYPES,
  type FeeOperationType,
  type FeeType,
} from '../spec/fees.ts';
import { FEE_ITEMS_MIN } from '../spec/limits.ts';
import type { CallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import { decimal, idText, readRecord, unwrap } from '../records/fields.ts';
import { amountText, checkInput, requiredText } from '../request/check-input.ts';
import type { Answer } from '../response/conclude.ts';

/** One operation whose fee is asked for. Spec: "Fee calculation". */
export type FeeItem = Readonly<{
  /** Plain decimal text such as '12.5': no sign, no exponent, at most 30 + 36 digits. */
  baseAmount: string;
  currency: string;
  opType: FeeOperationType;
  feeType: FeeType;
}>;

const FeeItemsSchema = z.strictObject({
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

const FeeResult = z.object({
  amount: decimal,
  fee: decimal,
  fixedFee: decimal.exactOptional(),
  percentFee: decimal.exactOptional(),
});

/** What the wire may carry: the service may add types at any time. */
export type WireFeeOperationType = FeeOperationType | (string & {});

const opType: z.ZodType<WireFeeOperationType> = idText;

const FeeQuoteRecord = z.object({
  amount: decimal,
  currency: idText,
  opType,
  feeSender: FeeResult,
  feeReceiver: FeeResult,
});

const FeeQuotesRecord = z.object({ items: z.array(FeeQuoteRecord).min(FEE_ITEMS_MIN) });

/**
 * The fees of one operation, for sender and receiver; amounts are canonical decimal text. Spec:
 * "Fee calculation".
 */
export type FeeQuote = Readonly<z.output<typeof FeeQuoteRecord>>;

const readFeeQuotes = (json: unknown): FeeQuote[] =>
  readRecord(FeeQuotesRecord, unwrap(json, 'items')).items;

/**
 * Asks for the fees of at least one operation. Spec: "Fee calculation"; its path is ASSUMED.
 * Whether quotes come in the order of the items is not shown: tell them apart by amount and
 * currency.
 */
export const calculateFees =
  (send: Send) =>
  async (
    input: Readonly<{ items: readonly FeeItem[] }>,
    call: CallOptions = {},
  ): Promise<Answer<FeeQuote[]>> =>
    send(
      {
        operation: 'FEE_CALCULATION',
        payloadText: writeJson(checkInput('FEE_CALCULATION', FeeItemsSchema, input)),
        read: readFeeQuotes,
      },
      call,
    );
