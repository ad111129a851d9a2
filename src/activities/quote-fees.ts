import {
  type Amount,
  addAmounts,
  formatAmount,
  multiplyAmount,
  ZERO,
} from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type { CurrencySummary, IngestSummary } from '../domain/rows/staging.ts';
import { MerchantApiError } from '../merchant-api/index.ts';
import type { FeeType } from '../spec/fees.ts';
import type { BatchFees, FeeQuote } from '../store/batches.ts';
import { callService, type Service } from './service.ts';

/** ASSUMED: the spec names three fee types and does not say which one a withdrawal is charged by. */
const FEE_TYPE: FeeType = 'SERVICE';

/** ASSUMED: a currency with more different amounts than are remembered is quoted as one withdrawal of its total. */
const amountsOf = ({ amounts, total }: CurrencySummary): readonly (readonly [string, number])[] =>
  amounts ?? [[total, 1]];

/** Quotes the fee of a whole batch: each different amount once. A service without the operation gives no quotes. */
export async function quoteFees(service: Service, summary: IngestSummary): Promise<BatchFees> {
  if (!service.api.hasOperation('FEE_CALCULATION')) return { quotes: null };
  try {
    const quotes: FeeQuote[] = [];
    for (const currency of summary.currencies) quotes.push(await quote(service, currency));
    return { quotes };
  } catch (error) {
    // What cannot be priced beforehand is paid all the same: the fee is in the mass payout's record.
    if (isUnpriceable(error)) return { quotes: null };
    throw error;
  }
}

async function quote(service: Service, currency: CurrencySummary): Promise<FeeQuote> {
  const amounts = amountsOf(currency);
  const items = amounts.map(([baseAmount]) => ({
    baseAmount,
    currency: currency.currency,
    opType: 'WITHDRAWAL' as const,
    feeType: FEE_TYPE,
  }));
  const { value } = await callService(service, (api) => api.calculateFees({ items }));
  const fee = amounts.reduce<Amount>((sum, [, rows], i) => {
    const each = parseSignedAmount(value[i]?.feeSender.fee ?? '0');
    return addAmounts(sum, multiplyAmount(each, rows));
  }, ZERO);
  return {
    currency: currency.currency,
    fee: formatAmount(fee),
    estimated: currency.amounts === null,
  };
}

/** Statuses with which a server says that it has no such operation, or not for these items. */
const STATUSES_UNPRICEABLE: readonly number[] = [400, 404, 405, 422, 501];

function isUnpriceable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof MerchantApiError)) return false;
  return cause.kind === 'unreadable' || STATUSES_UNPRICEABLE.includes(cause.httpStatus ?? 0);
}
