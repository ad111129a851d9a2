import type { AdminDelivery } from '@bursar/sandbox/admin';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { DELIVERY_STATUSES, DeliveryBadge, StatusBadge } from '../parts/badge.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field, Select } from '../parts/field.tsx';
import { More, useLength } from '../parts/pages.tsx';
import { PrettyJson } from '../parts/pretty-json.tsx';
import { PageHead } from '../parts/section.tsx';
import { Text, TextOrNone, Word } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { replaceLink, linkTo } from '../route.ts';

/** The webhooks that were sent or wait, newest first. */
export function DeliveriesPage({ query }: { query: URLSearchParams }) {
  const { length, more } = useLength();
  const filters = { subscription: query.get('subscription'), status: query.get('status') };
  const { value, error } = useAnswer('GET /deliveries', {
    query: { ...filters, order: 'newest', limit: length },
  });
  const subscriptions = useAnswer('GET /webhooks').value?.subscriptions ?? [];
  const isFiltered = Object.values(filters).some((filter) => filter !== null);
  const urls = new Map(subscriptions.map(({ id, url }) => [id, url]));
  return (
    <>
      <PageHead
        title="Deliveries"
        name="Deliveries"
        about="Webhooks with every attempt, newest first."
      />
      <Filters filters={filters} urls={urls} />
      <ErrorNote what="The deliveries cannot be read." error={error} />
      {value?.deliveries.length === 0 ? (
        <p class="empty">{isFiltered ? 'No webhook matches.' : NOTHING}</p>
      ) : null}
      <ul class="cards">
        {value?.deliveries.map((each) => (
          <li key={each.id}>
            <DeliveryCard delivery={each} url={urls.get(each.subscription) ?? each.subscription} />
          </li>
        ))}
      </ul>
      {value === null ? null : <More next={value.next} shown={length} onMore={more} />}
    </>
  );
}

const NOTHING =
  'No webhook was sent yet. Add a subscription, and create a payout or trigger an event.';

type Filters = Readonly<{ subscription: string | null; status: string | null }>;

type FiltersProps = Readonly<{ filters: Filters; urls: ReadonlyMap<string, string> }>;

function Filters({ filters, urls }: FiltersProps) {
  const change = (changed: Partial<Filters>): void =>
    replaceLink(linkTo(['deliveries'], { ...filters, ...changed }));
  return (
    <search class="filters">
      <Field label="Subscription">
        <select onChange={(event) => change({ subscription: event.currentTarget.value })}>
          <option value="">Every subscription</option>
          {[...urls].map(([id, url]) => (
            <option key={id} value={id} selected={id === filters.subscription}>
              {url}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Status">
        <Select
          options={DELIVERY_STATUSES}
          none="Every status"
          value={filters.status ?? ''}
          onChoose={(status) => change({ status })}
        />
      </Field>
    </search>
  );
}

function DeliveryCard({ delivery, url }: { delivery: AdminDelivery; url: string }) {
  const { id, type, status, createdDate, nextDate, attempts, fault, body } = delivery;
  return (
    <details class="card line">
      <summary data-row>
        <DeliveryBadge status={status} />
        <strong>
          <Word>{type}</Word>
        </strong>
        <span class="fine">
          {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
          {fault === null ? '' : `, fault ${fault}`}
        </span>
        <Time value={createdDate} />
      </summary>
      <div class="line-body">
        <p class="fine">
          Webhook {id} to <Text>{url}</Text>
          {nextDate === null ? null : (
            <>
              , next attempt <Time value={nextDate} />
            </>
          )}
        </p>
        <PrettyJson text={body} label={`Body of webhook ${id}`} />
        <DataTable
          caption={`Attempts of webhook ${id}, oldest first`}
          columns={ATTEMPTS}
          rows={attempts}
          keyOf={({ time }) => time}
          empty="No attempt yet."
        />
        <div class="actions">
          <ActionButton
            label="Send again"
            about={`webhook ${id}`}
            work={async () => {
              await callAdmin('POST /deliveries/resend', { body: { id } });
              return `Webhook ${id} is sent again.`;
            }}
          />
        </div>
      </div>
    </details>
  );
}

type Attempt = AdminDelivery['attempts'][number];

const ATTEMPTS: readonly DataColumn<Attempt>[] = [
  { label: 'Time', show: ({ time }) => <Time value={time} /> },
  { label: 'Status', show: ({ status }) => <StatusBadge status={status} /> },
  { label: 'Reason', show: ({ reason }) => <TextOrNone>{reason}</TextOrNone> },
];
