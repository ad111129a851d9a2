import { feeItems, feeOf } from '../../domain/fees/quote.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';
import type { Service } from '../context.ts';
import { callService } from './call-service.ts';

/**
 * Asks what the service would charge, by currency. A currency whose quote does not come back is left out; a service
 * without the operation gives no fees at all.
 */
export async function quoteFees(
  service: Service,
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
