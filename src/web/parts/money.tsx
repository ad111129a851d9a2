import { amountText, currencyText } from '../../domain/text/money-text.ts';

/** An amount of money with its currency. */
export const Money = ({ amount, currency }: { amount: string; currency: string }) => (
  <span class="amount">
    {amountText(amount, currency)} <bdi class="currency">{currencyText(currency)}</bdi>
  </span>
);

type Totals = readonly Readonly<{ currency: string; total: string }>[];

/** Totals below each other, one for each currency. */
export const MoneyList = ({ totals }: { totals: Totals }) => (
  <span class="amounts">
    {totals.map(({ currency, total }) => (
      <Money key={currency} amount={total} currency={currency} />
    ))}
  </span>
);
