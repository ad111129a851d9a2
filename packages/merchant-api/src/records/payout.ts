import { z } from 'zod';
import { type JsonValue, writeJson } from '../json/write-json.ts';
import { cleanText } from '../response/clean-text.ts';
import { cancellation } from './cancellation.ts';
import { decimal, idText, readRecord, state, text, unwrap } from './fields.ts';

/** Characters kept of a payout's `errors`, whose shape is not shown. */
export const PAYOUT_ERRORS_LENGTH_MAX = 1_000;

/** Any JSON value, as compact JSON text, cut. Numbers keep their digits. */
const compactJson = z
  .custom<JsonValue>((value) => value !== undefined)
  .transform((value) => cleanText(writeJson(value), { lengthMax: PAYOUT_ERRORS_LENGTH_MAX }));

const PayoutRecord = z.object({
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
  /**
   * Compact JSON of whatever the service put there, cut to `PAYOUT_ERRORS_LENGTH_MAX` characters.
   */
  errors: compactJson.exactOptional(),
  cancellation,
});

/**
 * What the service says about one payout of a mass payout. Amounts are canonical decimal text.
 * Only `id` and `state` are sure to be there. Spec: "Payout record".
 */
export type Payout = Readonly<z.output<typeof PayoutRecord>>;

/** Reads a payout, wrapped or not. Throws `Unreadable`. */
export const readPayoutRecord = (json: unknown): Payout =>
  readRecord(PayoutRecord, unwrap(json, 'id'));
