import { z } from 'zod';
import type { WireState, WireWithdrawalErrorStatus } from '../spec/states.ts';
import { type Cancellation, cancellation } from './cancellation.ts';
import { decimal, idText, integerText, readRecord, state, text, unwrap } from './fields.ts';

/** One problem of a withdrawal. Spec: "Mass payout record", `errors`. */
export type WithdrawalProblem = Readonly<{
  /** Id of the problem, an integer as text. */
  id?: string;
  /** Status of the problem. The spec names only `SUCCESS`. */
  status?: WireWithdrawalErrorStatus;
  /** Whether the problem is resolved. */
  errorResolved?: boolean;
  /** Text of the service about the problem. Text from outside: escape it where you show it. */
  errorMessage?: string;
}>;

/** The problems of one withdrawal of a mass payout. Spec: "Mass payout record", `errors`. */
export type WithdrawalErrors = Readonly<{
  /** Id of the withdrawal. Never empty. */
  withdrawalId: string;
  /** Its problems; empty when the service names none. */
  errors: readonly WithdrawalProblem[];
}>;

/**
 * A mass payout. Every answer has `id`, `state` and `withdrawalErrors`; any other field may be
 * absent. Amounts are canonical decimal text such as '12.5'. Spec: "Mass payout record".
 */
export type MassPayout = Readonly<{
  /** Id that the service gave the mass payout. Never empty. */
  id: string;
  /** State; a text that the spec does not name is kept. Spec: "States and transitions". */
  state: WireState;
  /** The UUID that the creator chose. */
  idempotencyKey?: string;
  /** Id (a UUID) of the company. */
  companyId?: string;
  /** Merchant account id. */
  account?: string;
  /** Comment. */
  comment?: string;
  /** Name. */
  name?: string;
  /** Currency ticker of the amounts. */
  currency?: string;
  /** Sum of the withdrawals, as canonical decimal text. */
  totalWithdrawalAmount?: string;
  /** Sum of the fees, as canonical decimal text. */
  totalFee?: string;
  /** Fee in percent, as canonical decimal text. */
  totalFeePercentage?: string;
  /** Execution date: ISO 8601 date and time, as the service wrote it. */
  executionDate?: string;
  /** External reference that the creator chose. */
  externalId?: string;
  /** Problems of single withdrawals (`errors.withdrawalErrors` of the answer); empty without any. */
  withdrawalErrors: readonly WithdrawalErrors[];
  /** Author and reason of a cancellation. ASSUMED: the spec does not show the place. */
  cancellation?: Cancellation | undefined;
}>;

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
