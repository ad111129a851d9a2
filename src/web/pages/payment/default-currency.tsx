import { knownCurrencies } from '../../../domain/currencies/alternatives.ts';
import { currencyText } from '../../../domain/text/money-text.ts';
import type { WebPlan } from '../../api/results.ts';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/section.tsx';
import { useTexts } from '../../shell/reader.tsx';

const CURRENCIES = knownCurrencies();

type DefaultCurrencyProps = Readonly<{
  refused: WebPlan['refused'];
  chosen: string | null;
  onChoose(currency: string | null): void;
}>;

/** Offers a currency for the rows that name none, where there are such rows. */
export function DefaultCurrency({ refused, chosen, onChoose }: DefaultCurrencyProps) {
  const t = useTexts();
  const isMissing = refused.some(({ code }) => code === 'CURRENCY_MISSING');
  if (!isMissing && chosen === null) return null;
  return (
    <Section title={t.file.currency} about={t.file.currencyAbout}>
      <Field label={t.file.currencyLabel} hint={t.file.currencyHint}>
        <select
          value={chosen ?? ''}
          onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : value)}
        >
          <option value="">{t.file.noCurrency}</option>
          {CURRENCIES.map((currency) => (
            <option key={currency} value={currency}>
              {currencyText(currency)}
            </option>
          ))}
        </select>
      </Field>
    </Section>
  );
}
