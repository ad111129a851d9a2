import type { CurrencyFeeQuote, FeeQuotes } from '../../domain/fees/batch-fees.ts';
import { feeItems, feeOf } from '../../domain/fees/quote.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { MerchantApiError } from '@bursar/merchant-api';
import { callService, type Service } from '../service/service.ts';

/**
 * Quotes the fee of a whole batch. A service without the operation, or one that does not price every amount, gives no
 * quotes: such a batch is paid all the same, and its fee is in the mass payout's record.
 */
export async function quoteFees(service: Service, summary: IngestSummary): Promise<FeeQuotes> {
  if (!service.api.hasOperation('FEE_CALCULATION')) return null;
  try {
    const quotes: CurrencyFeeQuote[] = [];
    for (const currency of summary.currencies) {
      const items = feeItems(currency);
      const { value } = await callService(service, (api) => api.calculateFees({ items }));
      const fee = feeOf(currency, value);
      if (fee === undefined) return null;
      quotes.push({ currency: currency.currency, fee, estimated: currency.amounts === null });
    }
    return quotes;
  } catch (error) {
    if (isUnpriceable(error)) return null;
    throw error;
  }
}

/** Statuses of a server without this operation, or without a price for these items. */
const STATUSES_UNPRICEABLE: readonly number[] = [400, 404, 405, 422, 501];

function isUnpriceable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof MerchantApiError)) return false;
  return cause.kind === 'unreadable' || STATUSES_UNPRICEABLE.includes(cause.httpStatus ?? 0);
}
