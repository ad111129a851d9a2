import { feeItems, feeOf } from '../../domain/fees/quote.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';
import type { ServiceAccess } from '../context.ts';
import { callService } from './call-service.ts';

/**
 * Quotes the fees of the service, by currency. A currency whose quote fails is left out. A service without the
 * operation gives no fees.
 */
export async function quoteFees(
  service: ServiceAccess,
  currencies: readonly CurrencySummary[],
): Promise<ReadonlyMap<string, string>> {
  const fees = new Map<string, string>();
  if (!service.api.hasOperation('FEE_CALCULATION')) return fees;
  for (const summary of currencies) {
    const items = feeItems(summary);
    const { value } = await callService(service, (api) => api.calculateFees({ items }));
    const fee = feeOf(summary, value);
    if (fee !== undefined) fees.set(summary.currency, fee);
  }
  return fees;
}
