import { z } from 'zod';
import type { WITHDRAWAL_ERROR_STATUS_SUCCESS } from '../spec/states.ts';
import { cancellation } from './cancellation.ts';
import { decimal, idText, integerText, readRecord, state, text, unwrap } from './fields.ts';

/** What the wire may carry: only SUCCESS is shown. Spec: "Mass payout record". */
export type WireWithdrawalErrorStatus = typeof WITHDRAWAL_ERROR_STATUS_SUCCESS | (string & {});

const errorStatus: z.ZodType<WireWithdrawalErrorStatus> = text;

const WithdrawalProblem = z.object({
  id: integerText.exactOptional(),
  status: errorStatus.exactOptional(),
  errorResolved: z.boolean().exactOptional(),
  errorMessage: text.exactOptional(),
});

const WithdrawalErrors = z.object({
  // An entry that names no withdrawal cannot be tied to a row, and must not be lost in silence.
  withdrawalId: idText,
  errors: z.array(WithdrawalProblem).default([]),
});

const MassPayoutFields = z.object({
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
  errors: z.object({ withdrawalErrors: z.array(WithdrawalErrors).default([]) }).exactOptional(),
  cancellation,
});

const MassPayoutRecord = MassPayoutFields.transform(({ errors, ...fields }) => ({
  ...fields,
  withdrawalErrors: errors?.withdrawalErrors ?? [],
}));

/**
 * What the service says about a mass payout. Amounts are canonical decimal text.
 * Only `id` and `state` are sure to be there. Spec: "Mass payout record".
 */
export type MassPayout = Readonly<z.output<typeof MassPayoutRecord>>;

/** Reads a mass payout, wrapped or not. Throws `Unreadable`. */
export const readMassPayoutRecord = (json: unknown): MassPayout =>
  readRecord(MassPayoutRecord, unwrap(json, 'id'));
