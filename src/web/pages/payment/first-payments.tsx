import { currencyText } from '../../../domain/text/money-text.ts';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { Code, Text, TextOrNone } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { firstPayments, type SheetPayment } from '../../words/sheet.ts';
import type { ChosenFile, PlannedPayment } from './payment.ts';

const SHOWN_MAX = 10;

type FirstPaymentsProps = Readonly<{ file: ChosenFile; planned: PlannedPayment }>;

/** The first payments of a file whose text the page has, as they stand in it. */
export function FirstPayments({ file, planned: { plan, choices } }: FirstPaymentsProps) {
  const t = useTexts();
  if (file.text === null) return null;
  const lines = [...plan.refused.map(({ row }) => row), plan.totalRow?.row ?? 0];
  const payments = firstPayments(file.text, {
    columns: choices.form.columns,
    leftOut: new Set(lines),
    count: SHOWN_MAX,
  });
  const columns: readonly WebColumn<SheetPayment>[] = [
    { label: t.rows.row, isLabelInName: true, show: ({ line }) => line },
    {
      label: t.rows.payee,
      show: ({ name, reference, address }) => (
        <span class="two">
          <strong>
            <TextOrNone>{[name, reference].filter((text) => text !== '').join(' · ')}</TextOrNone>
          </strong>
          <Code>{address}</Code>
        </span>
      ),
    },
    {
      label: t.rows.amount,
      isNumber: true,
      show: ({ amount, currency }) => (
        <Text>{`${amount} ${currencyText(currency === '' ? (choices.currency ?? '') : currency)}`}</Text>
      ),
    },
  ];
  const about = t.payment.asInFile(countText(payments.length), countText(plan.rows.accepted));
  return (
    <Section title={t.rows.title} about={about}>
      <DataTable
        caption={t.rows.title}
        columns={columns}
        rows={payments}
        keyOf={({ line }) => line}
        empty={null}
      />
    </Section>
  );
}
