import { z } from 'zod';
import type { WireState } from '../spec/states.ts';
import { type Cancellation, readCancellation } from './cancellation.ts';
import { compactJson } from './compact-json.ts';
import { decimal, readRecord, recordId, state, text, unwrap } from './fields.ts';
import { readFields, recordSource, type UnreadableParts } from './unreadable-parts.ts';

/**
 * A payout to one address. Every answer has `id`, `state` and `unreadableParts`; any other field may be absent.
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
  /** Parts that could not be read; empty when all was read. An amount is never among them. */
  readonly unreadableParts: UnreadableParts;
};

/** The fields that must be exact: without one of them, or with a wrong one, the whole record is unreadable. */
const CertainFields = z.object({
  id: recordId,
  state,
  amount: decimal.exactOptional(),
  fee: decimal.exactOptional(),
  feePercentage: decimal.exactOptional(),
  blockchainFee: decimal.exactOptional(),
});

const TEXTS = {
  account: text,
  depositAddress: text,
  currency: text,
  feeCurrency: text,
  blockchainFeeCurrency: text,
  createdDate: text,
  transactionHash: text,
  comment: text,
  idempotencyKey: text,
  errors: compactJson,
};

/** Reads a payout, wrapped or not. Throws `Unreadable` without id or state, and for an amount that is not exact. */
export function readPayoutRecord(json: unknown): Payout {
  const source = recordSource(unwrap(json, 'id'));
  return {
    ...readRecord(CertainFields, source.json),
    ...readFields(TEXTS, source),
    ...readCancellation(source),
    unreadableParts: source.parts.list(),
  };
}
