import { callList } from '../../api/call.ts';
import type { ItemOf } from '../../api/results.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { Loading } from '../../parts/error-note.tsx';
import { SearchForm } from '../../parts/search-form.tsx';
import { PageHead, Section } from '../../parts/section.tsx';
import { Code, Text, TextOrNone } from '../../parts/text.tsx';
import { linkTo, openLink } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useMay } from '../../shell/session.tsx';
import { countText } from '../../words/amounts.ts';
import { ExportPayees, ImportPayees } from './payee-files.tsx';

export type WebPayee = ItemOf<'listPayees'>;

/** Payees that the page shows. A search finds the others. */
const SHOWN_MAX = 200;

/** The register of payees: who is paid, and who may be. */
export function PayeesPage({ search }: { search: string }) {
  const t = useTexts();
  const mayChange = useMay('operate');
  const { value, error, reload } = useAnswer(
    (signal) => callList('listPayees', { search, limit: SHOWN_MAX + 1 }, signal),
    { key: `payees ${search}` },
  );
  const payees = value?.items ?? [];
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
      {value === null ? null : <PayeeTable payees={payees.slice(0, SHOWN_MAX)} />}
      {payees.length > SHOWN_MAX ? (
        <p class="fine below">{t.payees.shown(countText(SHOWN_MAX))}</p>
      ) : null}
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

function PayeeTable({ payees }: { payees: readonly WebPayee[] }) {
  const t = useTexts();
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
