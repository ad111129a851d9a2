import { currencyText, moneyText } from '../../domain/text/money-text.ts';
import type { WebFunds } from '../api/results.ts';
import { useTexts } from '../shell/reader.tsx';
import { shareOf } from '../words/amounts.ts';
import { Money } from './money.tsx';

type CurrencyFunds = WebFunds['currencies'][number];

const WIDTH = 1_000;

/** A bar of the balance of one currency: in payment, for waiting batches, available. The list below has its numbers. */
export function FundsChart({ currency, balance, reserved, claimed, free, short }: CurrencyFunds) {
  const t = useTexts();
  const parts = [
    { name: t.funds.reserved, amount: reserved, tone: 'paying' },
    { name: t.funds.claimed, amount: claimed, tone: 'waiting' },
    { name: t.funds.free, amount: free, tone: 'free' },
  ];
  let from = 0;
  const bars = parts.map(({ amount, tone }) => {
    const width = Math.min(shareOf(amount, balance), WIDTH - from);
    from += width;
    return { tone, width, x: from - width };
  });
  return (
    <figure class="chart">
      <figcaption>
        <h3>{currencyText(currency)}</h3>
        <Money amount={balance} currency={currency} />
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={parts
          .map(({ name, amount }) => `${name}: ${moneyText(amount, currency)}`)
          .join(', ')}
      >
        <rect class="chart-ground" width={WIDTH} height="40" />
        {bars.map(({ tone, width, x }) => (
          <rect key={tone} class={`chart-${tone}`} x={x} width={width} height="40" />
        ))}
      </svg>
      <dl class="legend">
        {parts.map(({ name, amount, tone }) => (
          <div key={tone} class={`legend-${tone}`}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
        {short === '0' ? null : (
          <div class="legend-short">
            <dt>{t.funds.short}</dt>
            <dd>
              <Money amount={short} currency={currency} />
            </dd>
          </div>
        )}
      </dl>
    </figure>
  );
}
