import { z } from 'zod';
import { PayoutStateName } from './lists.ts';
import {
  AccountValue,
  AmountValue,
  CurrencyValue,
  DateTimeValue,
  TotalValue,
  TransactionHashValue,
  UuidValue,
} from './values.ts';

/** Spec: "Mass payout record", `errors[]`. ASSUMED: a status other than SUCCESS is FAILED. */
export const PayoutError = z
  .object({
    id: TotalValue,
    status: z.enum(['SUCCESS', 'FAILED']).describe('SUCCESS once the error is resolved.'),
    errorResolved: z.boolean(),
    errorMessage: z.string(),
  })
  .partial()
  .describe('The reason why a withdrawal failed, and whether it was paid later.');

const WithdrawalErrors = z
  .object({
    withdrawalErrors: z.array(
      z
        .object({
          withdrawalId: z.string().describe('The id of the payout record of this withdrawal.'),
          errors: z.array(PayoutError),
        })
        .partial(),
    ),
  })
  .partial();

/** Spec: "Mass payout record", which marks no field as required. */
export const MassPayout = z
  .object({
    id: UuidValue,
    idempotencyKey: UuidValue,
    companyId: UuidValue,
    account: AccountValue,
    state: PayoutStateName,
    comment: z.string(),
    name: z.string(),
    currency: CurrencyValue,
    totalWithdrawalAmount: AmountValue,
    totalFee: AmountValue,
    totalFeePercentage: AmountValue,
    executionDate: DateTimeValue,
    errors: WithdrawalErrors.describe('Absent until a withdrawal fails.'),
    externalId: z.string(),
  })
  .partial()
  .describe('Mass payout record, the answer of create and of get.');

/** Spec: "Cancellation details". */
export const Cancellation = z
  .object({
    canceledByUserId: z.string().describe('The id of a user.'),
    canceledByFirstname: z.string(),
    canceledByLastname: z.string(),
    cancelMessage: z.string(),
  })
  .describe('PGDealCancellationDTO: the person who canceled a payout, and the reason.');

/**
 * Spec: "Payout record (PGDealResponseDTO)". A withdrawal of a mass payout has no `idempotencyKey`
 * of its own, so the sandbox sends none.
 * ASSUMED: its `errors` and all fields after them, which the spec does not show.
 */
export const Payout = z
  .object({
    id: z.string(),
    account: AccountValue,
    depositAddress: z.string(),
    amount: AmountValue,
    currency: CurrencyValue,
    fee: AmountValue,
    feePercentage: AmountValue,
    feeCurrency: CurrencyValue,
    blockchainFee: AmountValue.optional(),
    blockchainFeeCurrency: CurrencyValue.optional(),
    state: PayoutStateName,
    createdDate: DateTimeValue,
    transactionHash: TransactionHashValue.optional(),
    comment: z.string().optional(),
    idempotencyKey: UuidValue.optional().describe('Absent on a withdrawal of a mass payout.'),
    errors: z.object({ errors: z.array(PayoutError) }).optional(),
    cancellation: Cancellation.optional().describe('Only after a person declined the mass payout.'),
  })
  .describe('PGDealResponseDTO: one withdrawal of a mass payout.');

/** Spec: "Generic lookup". ASSUMED: the answer is the record itself. */
export const FoundObject = z.union([MassPayout, Payout]);
