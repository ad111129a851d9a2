import {
  addAmounts,
  type Amount,
  formatAmount,
  multiplyAmount,
  parseAmount,
  ZERO,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';
import type { FeeQuote } from '../../merchant-api/index.ts';
import type { Service } from '../context.ts';
import { callService } from './call-service.ts';

/** ASSUMED: the spec names three fee types and does not say which one a withdrawal is charged by. */
const FEE_TYPE = 'SERVICE';

/**
 * Asks what the service would charge, by currency: each different amount once, or the total where there are too many.
 * A currency whose quote does not come back is left out; a service without the operation gives no fees at all.
 */
export async function quoteFees(
  service: Service,
  currencies: readonly CurrencySummary[],
): Promise<ReadonlyMap<string, string>> {
  const fees = new Map<string, string>();
  if (!service.api.hasOperation('FEE_CALCULATION')) return fees;
  for (const { currency, amounts, total } of currencies) {
    const asked = amounts ?? [[total, 1] as const];
    const items = asked.map(
      ([baseAmount]) =>
        ({ baseAmount, currency, opType: 'WITHDRAWAL', feeType: FEE_TYPE }) as const,
    );
    const { value } = await callService(service, (api) => api.calculateFees({ items }));
    const fee = sumOf(asked, value);
    if (fee !== undefined) fees.set(currency, fee);
  }
  return fees;
}

/** The order of quotes is not shown in the spec, so each is found by its amount. */
function sumOf(
  asked: readonly (readonly [amount: string, rows: number])[],
  quotes: readonly FeeQuote[],
): string | undefined {
  let sum: Amount = ZERO;
  for (const [amount, rows] of asked) {
    const canonical = formatAmount(parseAmount(amount));
    const quote = quotes.find((one) => one.amount === canonical);
    if (quote === undefined) return undefined;
    sum = addAmounts(sum, multiplyAmount(parseSignedAmount(quote.feeSender.fee), rows));
  }
  return formatAmount(sum);
}
