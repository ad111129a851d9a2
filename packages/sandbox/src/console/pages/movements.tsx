import type { AdminMovement } from '@bursar/sandbox/admin';
import { useAnswer } from '../api/use-answer.ts';
import { Amount } from '../parts/amount.tsx';
import { Short } from '../parts/copy.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/field.tsx';
import { More, useLength } from '../parts/pages.tsx';
import { Section } from '../parts/section.tsx';
import { None, Word } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { replaceLink, linkTo } from '../route.ts';

export type MovementsProps = Readonly<{ account: string | null; accounts: readonly string[] }>;

/** Top-ups and paid withdrawals, newest first. */
export function Movements({ account, accounts }: MovementsProps) {
  const { length, more } = useLength();
  const { value, error } = useAnswer('GET /movements', {
    query: { account, order: 'newest', limit: length },
  });
  return (
    <Section
      title="Movements"
      about="Top-ups, and the rows of a mass payout that were paid at one moment, as one line."
      actions={
        accounts.length < 2 ? undefined : (
          <Select
            aria-label="Account"
            options={accounts}
            none="Every account"
            value={account ?? ''}
            onChoose={(chosen) => replaceLink(linkTo(['accounts'], { account: chosen }))}
          />
        )
      }
    >
      <ErrorNote what="The movements cannot be read." error={error} />
      {value === null ? null : (
        <>
          <DataTable
            caption="Movements, newest first"
            columns={COLUMNS}
            rows={value.movements}
            keyOf={({ n }) => n}
            empty="No movements yet."
          />
          <More next={value.next} shown={length} onMore={more} />
        </>
      )}
    </Section>
  );
}

const COLUMNS: readonly DataColumn<AdminMovement>[] = [
  { label: 'Time', show: ({ time }) => <Time value={time} /> },
  { label: 'Operation', show: ({ opCode }) => <Word>{opCode}</Word> },
  {
    label: 'Amount',
    isNumber: true,
    show: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { label: 'Fee', isNumber: true, show: ({ fee }) => <Amount value={fee} /> },
  { label: 'Rows', isNumber: true, show: ({ transactions }) => transactions },
  {
    label: 'Payout',
    show: ({ massPayoutId: id, isResend }) =>
      id === null ? (
        <None />
      ) : (
        <a href={linkTo(['payouts', id])}>
          <Short value={id} />
          {isResend ? ' resent' : ''}
        </a>
      ),
  },
];
