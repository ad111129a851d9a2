import { Readable } from 'node:stream';
import type { AdminPayoutLine } from '../../admin/index.ts';
import { formatDecimal } from '../../core/decimal.ts';
import {
  type Withdrawal,
  type WithdrawalFailure,
  withdrawalId,
  withdrawalState,
} from '../../core/mass-payout.ts';
import { feeOf } from '../../core/tariff.ts';
import type { MassPayouts, StoredMassPayout } from '../../store/mass-payouts.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { AdminLines } from './route.ts';

const MASS_PAYOUTS_PER_READ = 100;
const WITHDRAWALS_PER_READ = 1_000;

/**
 * GET /sandbox/payouts: every withdrawal, one JSON document on each line, oldest first.
 * It reads in small parts, so that a million withdrawals need no more memory than a thousand.
 * States may change meanwhile.
 */
export const payoutsRoute = (store: SandboxStore): AdminLines => ({
  path: '/sandbox/payouts',
  lines: () => Readable.from(chunksOf(store)),
});

function* chunksOf({ massPayouts, withdrawals }: SandboxStore): Generator<string> {
  for (const massPayout of allOf(massPayouts)) {
    const { n } = massPayout;
    const failures = new Map(withdrawals.failures(n).map((each) => [each.position, each]));
    for (let after = 0; after < massPayout.withdrawalsCount; after += WITHDRAWALS_PER_READ) {
      const lines = withdrawals
        .page(n, after, WITHDRAWALS_PER_READ)
        .map((each) =>
          JSON.stringify(withdrawalLine(massPayout, each, failures.get(each.position) ?? null)),
        );
      yield `${lines.join('\n')}\n`;
    }
  }
}

function* allOf(massPayouts: MassPayouts): Generator<StoredMassPayout> {
  let page = massPayouts.page(0, MASS_PAYOUTS_PER_READ);
  while (page.length > 0) {
    yield* page;
    page = massPayouts.page(page.at(-1)?.n ?? 0, MASS_PAYOUTS_PER_READ);
  }
}

/** Returns a withdrawal as a record of the admin API. */
export function withdrawalLine(
  massPayout: StoredMassPayout,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure | null,
): AdminPayoutLine {
  return {
    withdrawalId: withdrawalId(massPayout.id, withdrawal.position),
    massPayoutId: massPayout.id,
    idempotencyKey: massPayout.idempotencyKey,
    externalId: massPayout.externalId,
    account: massPayout.account,
    currency: massPayout.currency,
    depositAddress: withdrawal.depositAddress,
    amount: formatDecimal(withdrawal.amount),
    fee: formatDecimal(feeOf(massPayout.tariff, withdrawal.amount).total),
    comment: withdrawal.comment,
    state: withdrawalState(massPayout, withdrawal, failure),
    errorMessage: failure?.message ?? null,
    errorResolved: failure === null ? null : failure.status === 'RESOLVED',
    massPayoutState: massPayout.state,
  };
}
