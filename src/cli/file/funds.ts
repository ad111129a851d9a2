import {
  addAmounts,
  formatAmount,
  parseAmount,
  subtractAmounts,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';
import type { Balances } from '../../merchant-api/index.ts';

/** What a batch would do to the balance of one currency. Decimal text; what is left may be below zero. */
export type FundsLine = Readonly<{
  currency: string;
  available: string;
  requested: string;
  /** null where the fee was not asked for, or the service cannot tell it. */
  fee: string | null;
  left: string;
}>;

/** Holds the file's totals against the balance. What other batches have reserved is only known to the workers. */
export function fundsLines(
  currencies: readonly CurrencySummary[],
  { balances }: Pick<Balances, 'balances'>,
  fees: ReadonlyMap<string, string> = new Map(),
): FundsLine[] {
  return currencies.map(({ currency, total }) => {
    const available = balances.find((held) => held.currency === currency)?.amount ?? '0';
    const fee = fees.get(currency) ?? null;
    const needed = addAmounts(parseAmount(total), parseSignedAmount(fee ?? '0'));
    const left = formatAmount(subtractAmounts(parseSignedAmount(available), needed));
    return { currency, available, requested: total, fee, left };
  });
}
