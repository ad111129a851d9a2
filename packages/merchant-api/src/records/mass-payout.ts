import { z } from 'zod';
import type { WireState } from '../spec/states.ts';
import { type Cancellation, readCancellation } from './cancellation.ts';
import { decimal, readRecord, recordId, state, text, unwrap } from './fields.ts';
import { readWithdrawalErrors, type WithdrawalErrors } from './withdrawal-errors.ts';
import { readFields, recordSource, type UnreadableParts } from './unreadable-parts.ts';

/**
 * A mass payout. Every answer has `id`, `state`, `withdrawalErrors` and `unreadableParts`; any other field may be
 * absent. Amounts are canonical decimal text such as '12.5'. Spec: "Mass payout record".
 */
export type MassPayout = {
  /** Id that the service gave the mass payout. Never empty. */
  readonly id: string;
  /** State; a text that the spec does not name is kept. Spec: "States and transitions". */
  readonly state: WireState;
  /** The UUID that the creator chose. */
  readonly idempotencyKey?: string;
  /** Id (a UUID) of the company. */
  readonly companyId?: string;
  /** Merchant account id. */
  readonly account?: string;
  /** Comment. */
  readonly comment?: string;
  /** Name. */
  readonly name?: string;
  /** Currency ticker of the amounts. */
  readonly currency?: string;
  /** Sum of the withdrawals, as canonical decimal text. */
  readonly totalWithdrawalAmount?: string;
  /** Sum of the fees, as canonical decimal text. */
  readonly totalFee?: string;
  /** Fee in percent, as canonical decimal text. */
  readonly totalFeePercentage?: string;
  /** Execution date: ISO 8601 date and time, as the service wrote it. */
  readonly executionDate?: string;
  /** External reference that the creator chose. */
  readonly externalId?: string;
  /** Problems of single withdrawals (`errors.withdrawalErrors` of the answer); empty without any. */
  readonly withdrawalErrors: readonly WithdrawalErrors[];
  /** Author and reason of a cancellation. ASSUMED: the spec does not show the place. */
  readonly cancellation?: Cancellation | undefined;
  /**
   * Parts that could not be read; empty when all was read. While a part under `errors` is among them, `withdrawalErrors` may lack
   * a withdrawal that failed. A total or a fee is never among them.
   */
  readonly unreadableParts: UnreadableParts;
};

/** The fields that must be exact: without one of them, or with a wrong one, the whole record is unreadable. */
const CertainFields = z.object({
  id: recordId,
  state,
  totalWithdrawalAmount: decimal.exactOptional(),
  totalFee: decimal.exactOptional(),
  totalFeePercentage: decimal.exactOptional(),
});

const TEXTS = {
  idempotencyKey: text,
  companyId: text,
  account: text,
  comment: text,
  name: text,
  currency: text,
  executionDate: text,
  externalId: text,
};

/** Reads a mass payout, wrapped or not. Throws `Unreadable` without id or state, and for a sum that is not exact. */
export function readMassPayoutRecord(json: unknown): MassPayout {
  const source = recordSource(unwrap(json, 'id'));
  return {
    ...readRecord(CertainFields, source.json),
    ...readFields(TEXTS, source),
    withdrawalErrors: readWithdrawalErrors(source),
    ...readCancellation(source),
    unreadableParts: source.parts.list(),
  };
}
