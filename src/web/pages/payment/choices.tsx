import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/section.tsx';
import { useReader } from '../../shell/reader.tsx';
import type { PaymentChoices, PlannedPayment } from './payment.ts';

type ChoicesFormProps = Readonly<{
  choices: PaymentChoices;
  planned: PlannedPayment;
  isBusy: boolean;
  onChange(choices: PaymentChoices): void;
  onUpdate(): void;
}>;

const ID_MAX = 64;

/** The name of the batch, its time, and whether wrong rows are left out. */
export function ChoicesForm({ choices, planned, isBusy, onChange, onUpdate }: ChoicesFormProps) {
  const { texts: t } = useReader();
  const { plan } = planned;
  const isUpToDate = JSON.stringify(choices) === JSON.stringify(planned.choices);
  const isUnnamed = choices.id === '' && planned.choices.id === '';
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Section title={t.payment.choices}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onUpdate();
        }}
      >
        <div class="fields">
          <Field
            label={t.payment.name}
            hint={isUnnamed ? t.payment.nameHint(plan.batchId) : t.payment.nameWrong}
          >
            <input
              value={choices.id}
              maxLength={ID_MAX}
              pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
              title={t.payment.nameWrong}
              onInput={(event) => onChange({ ...choices, id: event.currentTarget.value.trim() })}
            />
          </Field>
          <Field label={t.payment.at} hint={t.payment.atHint(zone)}>
            <input
              type="datetime-local"
              value={localText(choices.at)}
              onInput={(event) =>
                onChange({ ...choices, at: instantOf(event.currentTarget.value) })
              }
            />
          </Field>
          {plan.rows.refused === 0 && !choices.skipInvalid ? null : (
            <label class="choice">
              <input
                type="checkbox"
                checked={choices.skipInvalid}
                onChange={(event) =>
                  onChange({ ...choices, skipInvalid: event.currentTarget.checked })
                }
              />
              {t.payment.skipInvalid}
            </label>
          )}
        </div>
        <div class="form-actions">
          <button
            type="submit"
            class={isUpToDate ? 'plain' : 'first'}
            aria-disabled={isBusy || isUpToDate}
          >
            {isBusy ? t.payment.updating : t.payment.update}
          </button>
        </div>
      </form>
    </Section>
  );
}

/** A local time of the field as an instant; null: none. */
function instantOf(text: string): string | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const two = (value: number): string => String(value).padStart(2, '0');

/** An instant as the field shows it, in the zone of the reader. */
function localText(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
