import { z } from 'zod';
import type { WireState } from '../spec/states.ts';
import { type JsonValue, writeJson } from '../json/write-json.ts';
import { cleanText } from '../response/clean-text.ts';
import { type Cancellation, cancellation } from './cancellation.ts';
import { decimal, idText, readRecord, state, text, unwrap } from './fields.ts';

/** Largest number of characters that the client keeps of a payout's `errors`. */
export const PAYOUT_ERRORS_LENGTH_MAX = 1_000;

/**
 * A payout to one address. Every answer has `id` and `state`; any other field may be absent.
 * Amounts are canonical decimal text such as '12.5'. Spec: "Payout".
 */
export type Payout = {
  /** Payout id. Never empty. */
  readonly id: string;
  /** State; a text that the spec does not name is kept. Spec: "States and transitions". */
  readonly state: WireState;
  /** Merchant account id. */
  readonly account?: string;
  /** Destination crypto address. */
  readonly depositAddress?: string;
  /** Withdrawal amount in units of `currency`, as canonical decimal text. */
  readonly amount?: string;
  /** Currency ticker of `amount`. */
  readonly currency?: string;
  /** Service fee in units of `feeCurrency`, as canonical decimal text. */
  readonly fee?: string;
  /** Service fee in percent, as canonical decimal text. */
  readonly feePercentage?: string;
  /** Currency ticker of `fee`. */
  readonly feeCurrency?: string;
  /** Blockchain fee in units of `blockchainFeeCurrency`, as canonical decimal text. */
  readonly blockchainFee?: string;
  /** Currency ticker of `blockchainFee`. */
  readonly blockchainFeeCurrency?: string;
  /** Creation time: ISO 8601 date and time, as the service wrote it. */
  readonly createdDate?: string;
  /** Blockchain transaction hash. */
  readonly transactionHash?: string;
  /** Comment. */
  readonly comment?: string;
  /** The UUID that the creator chose. */
  readonly idempotencyKey?: string;
  /**
   * Error details as compact JSON text, cut to 1,000 characters (`PAYOUT_ERRORS_LENGTH_MAX`). The
   * spec does not show their shape.
   */
  readonly errors?: string;
  /** Author and reason of a cancellation. ASSUMED: the spec does not show the place. */
  readonly cancellation?: Cancellation | undefined;
};

/** Any JSON value, as compact JSON text, cut. Numbers keep their digits. */
const compactJson = z
  .custom<JsonValue>((value) => value !== undefined)
  .transform((value) => cleanText(writeJson(value), { lengthMax: PAYOUT_ERRORS_LENGTH_MAX }));

const PayoutRecord: z.ZodType<Payout> = z.object({
  id: idText,
  state,
  account: text.exactOptional(),
  depositAddress: text.exactOptional(),
  amount: decimal.exactOptional(),
  currency: text.exactOptional(),
  fee: decimal.exactOptional(),
  feePercentage: decimal.exactOptional(),
  feeCurrency: text.exactOptional(),
  blockchainFee: decimal.exactOptional(),
  blockchainFeeCurrency: text.exactOptional(),
  createdDate: text.exactOptional(),
  transactionHash: text.exactOptional(),
  comment: text.exactOptional(),
  idempotencyKey: text.exactOptional(),
  errors: compactJson.exactOptional(),
  cancellation,
});

/** Reads a payout, wrapped or not. Throws `Unreadable`. */
export const readPayoutRecord = (json: unknown): Payout =>
  readRecord(PayoutRecord, unwrap(json, 'id'));
