import type { AdminMassPayout } from '@bursar/sandbox/admin';
import { useAnswer } from '../api/use-answer.ts';
import { Amount } from '../parts/amount.tsx';
import { STATES, StateBadge } from '../parts/badge.tsx';
import { Short } from '../parts/copy.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field, Select } from '../parts/field.tsx';
import { More, useLength } from '../parts/pages.tsx';
import { PageHead } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { replaceLink, linkTo } from '../route.ts';

/** Every mass payout, newest first. */
export function PayoutsPage({ query }: { query: URLSearchParams }) {
  const { length, more } = useLength();
  const filters = {
    search: query.get('search'),
    state: query.get('state'),
    account: query.get('account'),
  };
  const { value, error } = useAnswer('GET /mass-payouts', {
    query: { ...filters, order: 'newest', limit: length },
  });
  const accounts = useAnswer('GET /accounts', { once: true }).value?.accounts ?? [];
  const isFiltered = Object.values(filters).some((filter) => filter !== null);
  return (
    <>
      <PageHead
        title="Payouts"
        name="Payouts"
        about="Every mass payout that was created, newest first."
      />
      <Filters filters={filters} accounts={accounts.map(({ account }) => account)} />
      <ErrorNote what="The payouts cannot be read." error={error} />
      {value === null ? null : (
        <>
          <DataTable
            caption="Mass payouts, newest first"
            columns={accounts.length > 1 ? [...COLUMNS, ACCOUNT] : COLUMNS}
            rows={value.massPayouts}
            keyOf={({ id }) => id}
            empty={isFiltered ? 'No mass payout matches.' : NOTHING}
          />
          <More next={value.next} shown={length} onMore={more} />
        </>
      )}
    </>
  );
}

const NOTHING =
  'No mass payouts yet. Send one with bursar submit, bursar api create-payout, or a client of yours.';

type Filters = Readonly<{ search: string | null; state: string | null; account: string | null }>;

type FiltersProps = Readonly<{ filters: Filters; accounts: readonly string[] }>;

function Filters({ filters, accounts }: FiltersProps) {
  const change = (changed: Partial<Filters>): void =>
    replaceLink(linkTo(['payouts'], { ...filters, ...changed }));
  return (
    <search class="filters">
      <Field label="Search">
        <input
          type="search"
          placeholder="Id, key, name or reference"
          value={filters.search ?? ''}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
      </Field>
      <Field label="State">
        <Select
          options={STATES}
          none="Every state"
          value={filters.state ?? ''}
          onChoose={(state) => change({ state })}
        />
      </Field>
      {accounts.length < 2 ? null : (
        <Field label="Account">
          <Select
            options={accounts}
            none="Every account"
            value={filters.account ?? ''}
            onChoose={(account) => change({ account })}
          />
        </Field>
      )}
    </search>
  );
}

const COLUMNS: readonly DataColumn<AdminMassPayout>[] = [
  {
    label: 'Payout',
    show: ({ id, name }) => (
      <a class="row-link" data-row href={linkTo(['payouts', id])}>
        <strong>{name === null || name === '' ? 'Without a name' : <Text>{name}</Text>}</strong>
        <Short value={id} />
      </a>
    ),
  },
  {
    label: 'State',
    show: ({ state, confirmations }) => (
      <>
        <StateBadge state={state} />
        {confirmations === 0 ? null : <div class="fine">confirmed by {confirmations}</div>}
      </>
    ),
  },
  {
    label: 'Total',
    isNumber: true,
    show: ({ totalAmount, currency }) => <Amount value={totalAmount} currency={currency} />,
  },
  { label: 'Fee', isNumber: true, show: ({ totalFee }) => <Amount value={totalFee} /> },
  { label: 'Rows', isNumber: true, show: ({ withdrawals }) => withdrawals },
  {
    label: 'Created',
    show: ({ createdDate, executionDate }) => (
      <>
        <Time value={createdDate} />
        {executionDate === null ? null : (
          <div class="fine">
            for <Time value={executionDate} />
          </div>
        )}
      </>
    ),
  },
];

const ACCOUNT: DataColumn<AdminMassPayout> = {
  label: 'Account',
  show: ({ account }) => <Short value={account} />,
};
