import { WITHDRAWAL_ERROR_STATUS_SUCCESS } from '@bursar/merchant-api/spec';
import { companyIdOf, ownerIdOf } from '../core/accounts.ts';
import {
  type SandboxMassPayout,
  transactionHash,
  type Withdrawal,
  type WithdrawalFailure,
  withdrawalId,
  withdrawalState,
} from '../core/mass-payout.ts';
import { Refused } from '../core/refusals.ts';
import { feeOf } from '../core/tariff.ts';
import { BLOCKCHAIN_FEE } from '../core/transactions.ts';
import type { StoredMassPayout } from '../store/mass-payouts.ts';
import type { Withdrawals } from '../store/withdrawals.ts';
import { exactNumber, type ExactJsonValue } from './exact-json.ts';

/** ASSUMED: the spec names no value of `errors[].status` other than SUCCESS. */
const WITHDRAWAL_ERROR_STATUS_FAILED = 'FAILED';

/**
 * ASSUMED: the spec shows the fields of a cancellation, but no field of a payout record after
 * `errors`.
 * Here a declined payout has a field `cancellation`. The owner of the account is the person who
 * declined it.
 */
const CANCELLATION = {
  canceledByFirstname: 'Sandbox',
  canceledByLastname: 'Owner',
  cancelMessage: 'Declined by a person.',
};

/** Spec: "Mass payout record". */
export function massPayoutRecord(
  massPayout: SandboxMassPayout,
  failures: readonly WithdrawalFailure[],
): ExactJsonValue {
  return {
    id: massPayout.id,
    idempotencyKey: massPayout.idempotencyKey,
    companyId: companyIdOf(massPayout.account),
    account: massPayout.account,
    state: massPayout.state,
    comment: massPayout.comment ?? undefined,
    name: massPayout.name ?? undefined,
    currency: massPayout.currency,
    totalWithdrawalAmount: exactNumber(massPayout.totalAmount),
    totalFee: exactNumber(massPayout.totalFee),
    totalFeePercentage: exactNumber(massPayout.tariff.percent),
    executionDate: massPayout.executionDate ?? undefined,
    errors: failures.length === 0 ? undefined : withdrawalErrors(massPayout.id, failures),
    externalId: massPayout.externalId ?? undefined,
  };
}

/** Returns the present record of a mass payout. Throws Refused when there is none. */
export function storedRecord(
  withdrawals: Withdrawals,
  massPayout: StoredMassPayout | null,
): ExactJsonValue {
  if (massPayout === null) throw new Refused('NOT_FOUND');
  return massPayoutRecord(massPayout, withdrawals.failures(massPayout.n));
}

const withdrawalErrors = (
  massPayoutId: string,
  failures: readonly WithdrawalFailure[],
): ExactJsonValue => ({
  withdrawalErrors: failures.map((failure) => ({
    withdrawalId: withdrawalId(massPayoutId, failure.position),
    errors: [errorRecord(failure)],
  })),
});

const errorRecord = ({ errorId, message, status }: WithdrawalFailure): ExactJsonValue => ({
  id: errorId,
  status: status === 'RESOLVED' ? WITHDRAWAL_ERROR_STATUS_SUCCESS : WITHDRAWAL_ERROR_STATUS_FAILED,
  errorResolved: status === 'RESOLVED',
  errorMessage: message,
});

/** Spec: "Payout record (PGDealResponseDTO)". */
export function withdrawalRecord(
  massPayout: SandboxMassPayout,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure | null,
): ExactJsonValue {
  const id = withdrawalId(massPayout.id, withdrawal.position);
  const state = withdrawalState(massPayout, withdrawal, failure);
  const isSent = state === 'COMPLETED';
  return {
    id,
    account: massPayout.account,
    depositAddress: withdrawal.depositAddress,
    amount: exactNumber(withdrawal.amount),
    currency: massPayout.currency,
    fee: exactNumber(feeOf(massPayout.tariff, withdrawal.amount).total),
    feePercentage: exactNumber(massPayout.tariff.percent),
    feeCurrency: massPayout.currency,
    blockchainFee: isSent ? exactNumber(BLOCKCHAIN_FEE) : undefined,
    blockchainFeeCurrency: isSent ? massPayout.currency : undefined,
    state,
    createdDate: new Date(massPayout.createdMs).toISOString(),
    transactionHash: isSent ? transactionHash(id) : undefined,
    comment: withdrawal.comment ?? undefined,
    errors: failure === null ? undefined : { errors: [errorRecord(failure)] },
    cancellation:
      state === 'CANCELED'
        ? { canceledByUserId: ownerIdOf(massPayout.account), ...CANCELLATION }
        : undefined,
  };
}
