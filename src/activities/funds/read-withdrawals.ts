import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { withdrawalsIn } from '../../domain/funds/withdrawal-count.ts';
import type { Money } from '../../domain/plan/rules.ts';
import { MASS_PAYOUT_CODE } from '../../domain/reconcile/wallet-transaction.ts';
import { isRefusal } from '../shared/boundary.ts';
import { callService, type Service } from '../service/service.ts';

/**
 * Returns how many rows of mass payouts the service has withdrawn, by currency, as it lists them; null where it has no list, or
 * refuses it; 'unanswered' when it gave no usable answer this time. A count is one small request, however many transactions there are.
 */
export async function readWithdrawals(
  service: Service,
  account: string,
  currencies: readonly string[],
): Promise<readonly Money[] | null | 'unanswered'> {
  if (!service.api.hasOperation('TRANSACTION_LIST')) return null;
  try {
    const counts: Money[] = [];
    for (const currency of currencies) {
      const filter = { opcodes: [MASS_PAYOUT_CODE], currency, pageNumber: 1, pageSize: 1 };
      const { value } = await callService(service, (api) =>
        api.listTransactions(filter, { account }),
      );
      counts.push({ currency: withdrawalsIn(currency), amount: String(value.totalElements) });
    }
    return counts;
  } catch (error) {
    if (!isBursarError(error)) throw error;
    return isRefusal(error) ? null : 'unanswered';
  }
}
