import { z } from 'zod';
import type { WireState, WireWithdrawalErrorStatus } from '../spec/states.ts';
import { type Cancellation, cancellation } from './cancellation.ts';
import { decimal, idText, integerText, readRecord, state, text, unwrap } from './fields.ts';

/** One problem of a withdrawal. Spec: "Mass payout record", `errors`. */
export type WithdrawalProblem = {
  /** Id of the problem, an integer as text. */
  readonly id?: string;
  /** Status of the problem. The spec names only `SUCCESS`. */
  readonly status?: WireWithdrawalErrorStatus;
  /** Whether the problem is resolved. */
  readonly errorResolved?: boolean;
  /** Text of the service about the problem. Text from outside: escape it where you show it. */
  readonly errorMessage?: string;
};

/** The problems of one withdrawal of a mass payout. Spec: "Mass payout record", `errors`. */
export type WithdrawalErrors = {
  /** Id of the withdrawal. Never empty. */
  readonly withdrawalId: string;
  /** Its problems; empty when the service names none. */
  readonly errors: readonly WithdrawalProblem[];
};

/**
 * A mass payout. Every answer has `id`, `state` and `withdrawalErrors`; any other field may be
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
};

const errorStatus: z.ZodType<WireWithdrawalErrorStatus> = text;

const WithdrawalErrorsRecord = z.object({
  // The client cannot match an error without this id to a row, and must not drop it silently.
  withdrawalId: idText,
  errors: z
    .array(
      z.object({
        id: integerText.exactOptional(),
        status: errorStatus.exactOptional(),
        errorResolved: z.boolean().exactOptional(),
        errorMessage: text.exactOptional(),
      }),
    )
    .default([]),
});

const MassPayoutRecord: z.ZodType<MassPayout> = z
  .object({
    id: idText,
    state,
    idempotencyKey: text.exactOptional(),
    companyId: text.exactOptional(),
    account: text.exactOptional(),
    comment: text.exactOptional(),
    name: text.exactOptional(),
    currency: text.exactOptional(),
    totalWithdrawalAmount: decimal.exactOptional(),
    totalFee: decimal.exactOptional(),
    totalFeePercentage: decimal.exactOptional(),
    executionDate: text.exactOptional(),
    externalId: text.exactOptional(),
    errors: z
      .object({ withdrawalErrors: z.array(WithdrawalErrorsRecord).default([]) })
      .exactOptional(),
    cancellation,
  })
  .transform(({ errors, ...fields }) => ({
    ...fields,
    withdrawalErrors: errors?.withdrawalErrors ?? [],
  }));

/** Reads a mass payout, wrapped or not. Throws `Unreadable`. */
export const readMassPayoutRecord = (json: unknown): MassPayout =>
  readRecord(MassPayoutRecord, unwrap(json, 'id'));
