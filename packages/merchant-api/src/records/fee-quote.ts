import { z } from 'zod';
import type { WireFeeOperationType } from '../spec/fees.ts';
import { FEE_ITEMS_MIN } from '../spec/limits.ts';
import { decimal, idText, readRecord, unwrap } from './fields.ts';

const opType: z.ZodType<WireFeeOperationType> = idText;

/** Fee of the sender or of the receiver. Spec: "Fee calculation", calculation result. */
export type FeeResult = {
  /** Amount, as canonical decimal text such as '12.5'. */
  readonly amount: string;
  /** Fee, as canonical decimal text. */
  readonly fee: string;
  /** Fixed fee, as canonical decimal text. Absent when the service leaves it out. */
  readonly fixedFee?: string;
  /** Percent fee, as canonical decimal text. Absent when the service leaves it out. */
  readonly percentFee?: string;
};

/** Fees of one operation, for sender and receiver. Spec: "Fee calculation", response. */
export type FeeQuote = {
  /** Amount of the operation in units of `currency`, as canonical decimal text. */
  readonly amount: string;
  /** Currency ticker. */
  readonly currency: string;
  /** Type of the operation: `INVOICE`, `WITHDRAWAL`, or a type that is newer than this client. */
  readonly opType: WireFeeOperationType;
  /** Calculation result for the sender. */
  readonly feeSender: FeeResult;
  /** Calculation result for the receiver. */
  readonly feeReceiver: FeeResult;
};

const FeeResultRecord = z.object({
  amount: decimal,
  fee: decimal,
  fixedFee: decimal.exactOptional(),
  percentFee: decimal.exactOptional(),
});

const FeeQuoteRecord: z.ZodType<FeeQuote> = z.object({
  amount: decimal,
  currency: idText,
  opType,
  feeSender: FeeResultRecord,
  feeReceiver: FeeResultRecord,
});

const FeeQuotesRecord = z.object({ items: z.array(FeeQuoteRecord).min(FEE_ITEMS_MIN) });

/** Reads a list of fee quotes, wrapped or not. Throws `Unreadable`. */
export const readFeeQuotes = (json: unknown): FeeQuote[] =>
  readRecord(FeeQuotesRecord, unwrap(json, 'items')).items;
