import { amountText, currencyText } from '../../../domain/text/money-text.ts';
import type { WebBatch } from '../../api/results.ts';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import { None } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';

type CurrencyLine = WebBatch['amounts'][number];

/** The amounts of the batch in each currency, by their outcomes; an outcome without an amount has no column. */
export function BatchAmounts({ batch: { amounts, short } }: { batch: WebBatch }) {
  const t = useTexts();
  if (amounts.length === 0) return null;
  const sum = (label: string, of: (line: CurrencyLine) => string): WebColumn<CurrencyLine> => ({
    label,
    isNumber: true,
    show: (line) => (of(line) === '0' ? <None /> : amountText(of(line), line.currency)),
  });
  const outcomes: readonly (readonly [string, (line: CurrencyLine) => string])[] = [
    [t.states.PAID, ({ paid }) => paid],
    [t.states.FAILED, ({ failed }) => failed],
    [t.states.UNKNOWN, ({ unknown }) => unknown],
    [t.states.NOT_SENT, ({ notSent }) => notSent],
    [t.states.IN_FLIGHT, ({ inFlight }) => inFlight],
    [t.batch.fee, ({ fee }) => fee],
  ];
  const columns: readonly WebColumn<CurrencyLine>[] = [
    { label: t.batch.currency, show: ({ currency }) => currencyText(currency) },
    sum(t.batch.requested, ({ requested }) => requested),
    ...outcomes
      .filter(([, of]) => amounts.some((line) => of(line) !== '0'))
      .map(([label, of]) => sum(label, of)),
  ];
  return (
    <Section title={t.batch.amounts}>
      <DataTable
        caption={t.batch.amounts}
        columns={columns}
        rows={amounts}
        keyOf={({ currency }) => currency}
        empty=""
      />
      {amounts.some(({ feeIncludesUnpaid }) => feeIncludesUnpaid) ? (
        <p class="fine below">{t.batch.feeNote}</p>
      ) : null}
      {(short ?? []).map(({ currency, amount }) => (
        <p key={currency} class="note bad below">
          {t.funds.shortBy} <Money amount={amount} currency={currency} />
        </p>
      ))}
    </Section>
  );
}
