import { callOperation } from '../api/call.ts';
import type { ResultOf } from '../api/results.ts';
import { useAnswer } from '../api/use-answer.ts';
import { StateBadge } from '../parts/badge.tsx';
import { DataTable, type WebColumn } from '../parts/data-table.tsx';
import { Loading } from '../parts/error-note.tsx';
import { FindBox } from '../parts/find-box.tsx';
import { FoundPayment } from '../parts/found-payment.tsx';
import { PageHead } from '../parts/section.tsx';
import { None, Text } from '../parts/text.tsx';
import { linkTo } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';

type FoundAt = ResultOf<'find'>['finds'][number];

/** Where a word was found: "has EMP-004 been paid?". */
export function FindPage({ word }: { word: string }) {
  const t = useTexts();
  const { value, error } = useAnswer(
    async (signal) => (word === '' ? null : callOperation('find', { word }, signal)),
    { key: `find ${word}` },
  );
  const columns: readonly WebColumn<FoundAt>[] = [
    {
      label: t.batches.batch,
      show: ({ batchId, row }) => (
        <a
          class="row-link"
          href={linkTo(row === null ? ['batches', batchId] : ['batches', batchId, 'rows', row])}
        >
          <strong>
            <Text>{batchId}</Text>
          </strong>
          {row === null ? null : <span class="fine">{t.find.row(row)}</span>}
        </a>
      ),
    },
    { label: t.find.payment, show: ({ payment }) => <FoundPayment payment={payment} /> },
    {
      label: t.rows.outcome,
      show: ({ payment }) => (payment === null ? <None /> : <StateBadge word={payment.outcome} />),
    },
    { label: t.find.as, show: ({ as }) => t.find.kinds[as] },
  ];
  return (
    <>
      <PageHead title={t.find.title} name={t.find.title} about={t.find.about} />
      <FindBox key={word} word={word} />
      {word === '' ? null : error?.code === 'WORD_NOT_FOUND' ? (
        <p class="empty" role="status">
          {t.failures.WORD_NOT_FOUND.join(' ')}
        </p>
      ) : (
        <Loading error={error} isEmpty={value === null} />
      )}
      {value === null ? null : (
        <DataTable
          caption={t.find.title}
          columns={columns}
          rows={value.finds}
          keyOf={(found) => JSON.stringify(found)}
          empty={t.find.none}
        />
      )}
    </>
  );
}
