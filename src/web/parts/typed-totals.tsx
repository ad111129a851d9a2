import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { canonicalAmount } from '../../domain/money/amount.ts';
import { currencyText, moneyList } from '../../domain/text/money-text.ts';
import type { FailureFacts } from '../api/call.ts';
import { useTexts } from '../shell/reader.tsx';
import { useSigned } from '../shell/session.tsx';
import { countText, typedAmount } from '../words/amounts.ts';
import { ErrorNote } from './error-note.tsx';
import { Field } from './field.tsx';
import { Section } from './section.tsx';

type PaidLine = Readonly<{ currency: string; rows: number; total: string }>;

type TypedTotalsProps = Readonly<{
  currencies: readonly PaidLine[];
  isBusy: boolean;
  error: FailureFacts | null;
  /** A further statement of the person, above the amounts. */
  children?: ComponentChildren;
  onPay(): void;
}>;

/** The last step before money moves: the person types the amounts, so that nothing is paid unread. */
export function TypedTotals({ currencies, isBusy, error, children, onPay }: TypedTotalsProps) {
  const t = useTexts();
  const { place } = useSigned();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isWrong, setWrong] = useState(false);
  const isTyped = ({ currency, total }: PaidLine): boolean =>
    canonicalAmount(typedAmount(typed[currency] ?? '')) === canonicalAmount(total);
  const send = (): void => {
    const isRight = currencies.every(isTyped);
    setWrong(!isRight);
    if (isRight && !isBusy) onPay();
  };
  const people = currencies.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <Section title={t.payment.confirm}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p class={place.environment === 'LIVE' ? 'note bad' : 'note quiet'}>
          {t.payment.confirmText(
            moneyList(currencies),
            countText(people),
            t.ribbon[place.environment],
          )}
        </p>
        {children}
        <div class="fields below">
          {currencies.map((line) => (
            <Field
              key={line.currency}
              label={t.payment.typeAmount(currencyText(line.currency))}
              hint={t.payment.typeHint(line.total)}
              error={isWrong && !isTyped(line) ? t.payment.typedWrong : undefined}
            >
              <input
                required
                inputMode="decimal"
                autocomplete="off"
                value={typed[line.currency] ?? ''}
                onInput={(event) =>
                  setTyped({ ...typed, [line.currency]: event.currentTarget.value })
                }
              />
            </Field>
          ))}
        </div>
        <ErrorNote what={t.payment.notStarted} error={error} />
        <div class="form-actions">
          <button type="submit" class="first" aria-disabled={isBusy}>
            {isBusy ? t.payment.starting : t.payment.pay}
          </button>
        </div>
      </form>
    </Section>
  );
}
