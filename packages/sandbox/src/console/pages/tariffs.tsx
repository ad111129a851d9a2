import type { AdminTariff } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ActionForm } from '../parts/action-form.tsx';
import { Amount } from '../parts/amount.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field } from '../parts/field.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';

/** The tariffs of single currencies. */
export function Tariffs() {
  const [isOpen, setOpen] = useState(false);
  const { value, error } = useAnswer('GET /tariffs');
  return (
    <Section
      title="Tariffs"
      about="Currencies with a tariff of their own. All others follow the settings."
      actions={
        <button type="button" onClick={() => setOpen(true)}>
          Set a tariff
        </button>
      }
    >
      <ErrorNote what="The tariffs cannot be read." error={error} />
      {value === null ? null : (
        <DataTable
          caption="Tariffs of single currencies"
          columns={COLUMNS}
          rows={value.tariffs}
          keyOf={({ currency }) => currency}
          empty="Every currency follows the settings."
        />
      )}
      {isOpen ? (
        <Dialog title="Set a tariff" onClose={() => setOpen(false)}>
          <TariffForm onDone={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly DataColumn<AdminTariff>[] = [
  { label: 'Currency', show: ({ currency }) => <Text>{currency}</Text> },
  { label: 'Percent', isNumber: true, show: ({ percent }) => <Amount value={percent} /> },
  { label: 'Fixed', isNumber: true, show: ({ fix }) => <Amount value={fix} /> },
  { label: 'At least', isNumber: true, show: ({ min }) => <Amount value={min} /> },
  {
    label: 'Act',
    isLabelHidden: true,
    show: ({ currency }) => (
      <ActionButton
        label="Reset"
        about={`the tariff of ${currency}`}
        work={async () => {
          await callAdmin('POST /tariffs', { body: { currency, tariff: null } });
          return `${currency} follows the settings again.`;
        }}
      />
    ),
  },
];

const TariffForm = ({ onDone }: { onDone(): void }) => (
  <ActionForm
    label="Tariff"
    submit="Save"
    onDone={onDone}
    more={
      <button type="button" onClick={onDone}>
        Cancel
      </button>
    }
    send={async ({ text, given }) => {
      const tariff = { percent: given('percent'), fix: given('fix'), min: given('min') };
      await callAdmin('POST /tariffs', { body: { currency: text('currency'), tariff } });
      return `The tariff of ${text('currency')} applies to new mass payouts.`;
    }}
  >
    <Field label="Currency">
      <input name="currency" required list="currencies" autocomplete="off" />
    </Field>
    <Field label="Percent" hint="A share of the amount.">
      <input name="percent" inputMode="decimal" placeholder="0" autocomplete="off" />
    </Field>
    <Field label="Fixed" hint="Added to the share.">
      <input name="fix" inputMode="decimal" placeholder="0" autocomplete="off" />
    </Field>
    <Field label="At least" hint="The least fee of one row.">
      <input name="min" inputMode="decimal" placeholder="0" autocomplete="off" />
    </Field>
  </ActionForm>
);
