import { feeCaps } from '../../domain/fees/caps.ts';
import { addAmounts, formatAmount, subtractAmounts } from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { FeeRules } from '../../domain/plan/rules.ts';
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
  /** The caps that the house rules set on the fee; none where the fee is not known. */
  caps: readonly Readonly<{ cap: string; isAbove: boolean }>[];
}>;

/** What is known of fees; nothing where they were not asked for. */
export type KnownFees = Readonly<{ fees: ReadonlyMap<string, string>; rules: FeeRules }>;

/** Holds the file's totals against the balance. What other batches have reserved is only known to the workers. */
export function fundsLines(
  currencies: readonly CurrencySummary[],
  { balances }: Pick<Balances, 'balances'>,
  known?: KnownFees,
): FundsLine[] {
  return currencies.map((line) => {
    const { currency, total } = line;
    const available = balances.find((held) => held.currency === currency)?.amount ?? '0';
    const fee = known?.fees.get(currency) ?? null;
    const needed = addAmounts(parseSignedAmount(total), parseSignedAmount(fee ?? '0'));
    const left = formatAmount(subtractAmounts(parseSignedAmount(available), needed));
    const caps = known === undefined || fee === null ? [] : capsOf(known.rules, line, fee);
    return { currency, available, requested: total, fee, left, caps };
  });
}

const capsOf = (rules: FeeRules, { currency, total }: CurrencySummary, fee: string) =>
  feeCaps(rules, { currency, amount: total }).map(({ cap, isBrokenBy }) => ({
    cap,
    isAbove: isBrokenBy(fee),
  }));
