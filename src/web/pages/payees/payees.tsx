import { callList } from '../../api/call.ts';
import type { ItemOf } from '../../api/results.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { Loading } from '../../parts/error-note.tsx';
import { SearchForm } from '../../parts/search-form.tsx';
import { PageHead, Section } from '../../parts/section.tsx';
import { Code, None, Text, TextOrNone } from '../../parts/text.tsx';
import { Day } from '../../parts/time.tsx';
import { linkTo, openLink } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useMay } from '../../shell/session.tsx';
import { ExportPayees, ImportPayees } from './payee-files.tsx';

export type WebPayee = ItemOf<'listPayees'>;

const PAGE_PAYEES = 100;

/** The payees that the address of the page names. `after`: the last one of the page before; empty: the first page. */
type PayeesPageProps = Readonly<{ search: string; after: string }>;

/** The register of payees: who is paid, and who may be. The address names the page, so that "back" works. */
export function PayeesPage({ search, after }: PayeesPageProps) {
  const t = useTexts();
  const mayChange = useMay('operate');
  const page = { search, limit: PAGE_PAYEES + 1, ...(after === '' ? {} : { after }) };
  const key = `payees ${search} ${after}`;
  const { value, error, reload } = useAnswer((signal) => callList('listPayees', page, signal), {
    key,
  });
  // The server reads the payments of all batches for these, so they come later.
  const paid = useAnswer(
    (signal) => callList('listPayees', { ...page, withPayments: true }, signal),
    { key },
  );
  const payees = value?.items.slice(0, PAGE_PAYEES) ?? [];
  const last = payees.at(-1);
  const hasMore = (value?.items.length ?? 0) > PAGE_PAYEES;
  return (
    <>
      <PageHead
        title={t.payees.title}
        name={t.payees.title}
        about={t.payees.about}
        actions={<ExportPayees />}
      />
      <SearchBox key={search} search={search} />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : (
        <PayeeTable payees={payees} paid={paid.value?.items ?? null} isLate={paid.error !== null} />
      )}
      {after === '' && !hasMore ? null : (
        <nav class="pager" aria-label={t.payees.pages}>
          {after === '' ? (
            <span />
          ) : (
            <a class="button" href={linkTo(['payees'], { search })}>
              {t.rows.first}
            </a>
          )}
          {hasMore && last !== undefined ? (
            <a
              class="button"
              href={linkTo(['payees'], { search, after: `${last.network}:${last.address}` })}
            >
              {t.rows.next}
            </a>
          ) : null}
        </nav>
      )}
      {mayChange ? (
        <Section title={t.payees.import} about={t.payees.importAbout}>
          <ImportPayees onImported={reload} />
        </Section>
      ) : null}
    </>
  );
}

function SearchBox({ search }: { search: string }) {
  const t = useTexts();
  const find = (text: string): void => openLink(linkTo(['payees'], { search: text }));
  return <SearchForm label={t.payees.label} word={search} onSearch={find} />;
}

type PayeeTableProps = Readonly<{
  payees: readonly WebPayee[];
  /** The same payees with their payments; null: not there yet. */
  paid: readonly WebPayee[] | null;
  /** Whether the payments could not be read. */
  isLate: boolean;
}>;

function PayeeTable({ payees, paid, isLate }: PayeeTableProps) {
  const t = useTexts();
  const paidById = new Map((paid ?? []).map((payee) => [payee.id, payee]));
  const paidAt = (which: 'firstPaid' | 'lastPaid', { id }: WebPayee) => {
    const payment = paidById.get(id)?.[which];
    if (payment === undefined) return isLate ? <None /> : <span class="fine">…</span>;
    return payment === null ? t.payees.never : <Day value={payment.at} />;
  };
  const columns: readonly WebColumn<WebPayee>[] = [
    {
      label: t.payees.payee,
      show: ({ address, network, name }) => (
        <a class="row-link" href={linkTo(['payees', address], { network })}>
          <strong>{name === null ? t.payees.noName : <Text>{name}</Text>}</strong>
          <Code>{address}</Code>
        </a>
      ),
    },
    { label: t.payees.network, show: ({ network }) => <Text>{network}</Text> },
    { label: t.payees.labels, show: ({ labels }) => <TextOrNone>{labels.join(', ')}</TextOrNone> },
    { label: t.payees.first, show: (payee) => paidAt('firstPaid', payee) },
    { label: t.payees.last, show: (payee) => paidAt('lastPaid', payee) },
    { label: t.payees.status, show: ({ status }) => <PayeeBadge status={status} /> },
  ];
  return (
    <DataTable
      caption={t.payees.title}
      columns={columns}
      rows={payees}
      keyOf={({ id }) => id}
      empty={t.payees.none}
    />
  );
}

const TONES = { LISTED: 'quiet', UNLISTED: 'quiet', ALLOWED: 'good', DENIED: 'bad' } as const;

/** Whether a payee may be paid, as a word with a colour. */
export function PayeeBadge({ status }: Readonly<{ status: WebPayee['status'] }>) {
  const t = useTexts();
  return <Badge tone={TONES[status]}>{t.payees.statuses[status]}</Badge>;
}
