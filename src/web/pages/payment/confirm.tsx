import { useState } from 'preact/hooks';
import { canonicalAmount } from '../../../domain/money/amount.ts';
import { currencyText, moneyList } from '../../../domain/text/money-text.ts';
import type { FailureFacts } from '../../api/call.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/section.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { useSigned } from '../../shell/session.tsx';
import { countText, typedAmount } from '../../words/amounts.ts';
import type { PlannedPayment } from './payment.ts';

type ConfirmFormProps = Readonly<{
  planned: PlannedPayment;
  isUpToDate: boolean;
  isBusy: boolean;
  error: FailureFacts | null;
  onPay(): void;
}>;

/** The last step: the person types the amounts, so that no file is paid unread. */
export function ConfirmForm({ planned, isUpToDate, isBusy, error, onPay }: ConfirmFormProps) {
  const t = useTexts();
  const { place } = useSigned();
  const { plan } = planned;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isWrong, setWrong] = useState(false);
  const { currencies } = plan;
  const obstacle = obstacleOf(planned, isUpToDate);
  if (obstacle !== null) {
    return (
      <p class="note wait" role="status">
        {t.payment.obstacles[obstacle]}
      </p>
    );
  }
  const isTyped = ({ currency, total }: (typeof currencies)[number]): boolean =>
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

/** Why this plan cannot be started yet. */
export type PayObstacle = 'update' | 'refused' | 'findings' | 'blocked';

function obstacleOf({ plan }: PlannedPayment, isUpToDate: boolean): PayObstacle | null {
  const { findings, digest, problems } = plan;
  if (findings.some(({ severity }) => severity === 'block')) return 'blocked';
  if (!isUpToDate) return 'update';
  const others = problems.filter(({ code }) => code !== 'FINDINGS_NOT_ACCEPTED');
  if (digest === null || others.length > 0) return 'refused';
  const isOpen = findings.some(({ severity, accepted }) => severity === 'confirm' && !accepted);
  return isOpen ? 'findings' : null;
}
