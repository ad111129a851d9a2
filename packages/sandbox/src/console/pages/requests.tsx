import type { AdminRequest } from '@bursar/sandbox/admin';
import { useAnswer } from '../api/use-answer.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { Short } from '../parts/copy.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field, Select } from '../parts/field.tsx';
import { More, useLength } from '../parts/pages.tsx';
import { PageHead } from '../parts/section.tsx';
import { None, Text, TextOrNone, Word } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { replaceLink, linkTo } from '../route.ts';

type Filters = Readonly<{
  operation: string | null;
  status: string | null;
  idempotencyKey: string | null;
}>;

/** The log of requests to the operations, newest first. */
export function RequestsPage({ query }: { query: URLSearchParams }) {
  const { length, more } = useLength();
  const filters: Filters = {
    operation: query.get('operation'),
    status: query.get('status'),
    idempotencyKey: query.get('idempotencyKey'),
  };
  const isFiltered = Object.values(filters).some((filter) => filter !== null);
  const { value, error } = useAnswer('GET /requests', {
    query: { ...filters, order: 'newest', limit: length },
  });
  return (
    <>
      <PageHead
        title="Requests"
        name="Requests"
        about="Every request to an operation, newest first, with the sandbox's decision. A fault may have changed the answer."
      />
      <FiltersForm filters={filters} />
      <ErrorNote what="The requests cannot be read." error={error} />
      {value === null ? null : (
        <>
          <DataTable
            caption="Requests, newest first"
            columns={COLUMNS}
            rows={value.requests}
            keyOf={({ n }) => n}
            empty={isFiltered ? 'No request matches.' : 'No requests yet.'}
          />
          <More next={value.next} shown={length} onMore={more} />
        </>
      )}
    </>
  );
}

function FiltersForm({ filters }: { filters: Filters }) {
  const operations = useAnswer('GET /operations', { once: true }).value?.operations ?? [];
  const change = (changed: Partial<Filters>): void =>
    replaceLink(linkTo(['requests'], { ...filters, ...changed }));
  return (
    <search class="filters">
      <Field label="Idempotency key">
        <input
          type="search"
          placeholder="The whole key"
          value={filters.idempotencyKey ?? ''}
          onChange={(event) => change({ idempotencyKey: event.currentTarget.value.trim() })}
        />
      </Field>
      <Field label="Operation">
        <Select
          options={operations.map(({ operation }) => operation)}
          none="Every operation"
          value={filters.operation ?? ''}
          onChoose={(operation) => change({ operation })}
        />
      </Field>
      <Field label="Status">
        <input
          type="number"
          placeholder="200"
          value={filters.status ?? ''}
          onChange={(event) => change({ status: event.currentTarget.value })}
        />
      </Field>
    </search>
  );
}

const COLUMNS: readonly DataColumn<AdminRequest>[] = [
  { label: 'Time', show: ({ time }) => <Time value={time} /> },
  { label: 'Operation', show: ({ operation }) => <Word>{operation}</Word> },
  { label: 'Status', show: ({ status }) => <StatusBadge status={status} /> },
  { label: 'Error', show: ({ errorCode }) => <WordOrNone>{errorCode}</WordOrNone> },
  { label: 'Fault', show: ({ fault }) => <WordOrNone>{fault}</WordOrNone> },
  { label: 'Modes', show: ({ modes }) => <TextOrNone>{modes}</TextOrNone> },
  {
    label: 'Key',
    show: ({ idempotencyKey: key }) =>
      key === null ? (
        <None />
      ) : (
        <a href={linkTo(['requests'], { idempotencyKey: key })}>
          <Short value={key} />
        </a>
      ),
  },
  { label: 'Object', show: (request) => <ObjectLink {...request} /> },
  {
    label: 'Bytes',
    isNumber: true,
    show: ({ requestBytes, answerBytes }) => `${requestBytes} / ${answerBytes ?? '–'}`,
  },
  { label: 'ms', isNumber: true, show: ({ durationMs }) => durationMs },
];

const WordOrNone = ({ children: word }: { children: string | null }) =>
  word === null ? <None /> : <Word>{word}</Word>;

/** Only mass payouts have a page here. */
function ObjectLink({ objectId: id, operation }: AdminRequest) {
  if (id === null) return <None />;
  const isPayout = operation === 'MASS_CREATE' || operation === 'MASS_GET';
  return isPayout ? (
    <a href={linkTo(['payouts', id])}>
      <Short value={id} />
    </a>
  ) : (
    <Text>{id}</Text>
  );
}
