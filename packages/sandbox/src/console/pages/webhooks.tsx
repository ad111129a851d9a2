import type { AdminDeliveryStatus, AdminSubscription } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Badge, DELIVERY_STATUSES, DeliveryBadge } from '../parts/badge.tsx';
import { Copy } from '../parts/copy.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Facts } from '../parts/facts.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { AddSubscription } from './add-subscription.tsx';

/** The subscriptions with their health, and actions on them. */
export function WebhooksPage() {
  const [isAdding, setAdding] = useState(false);
  const { value, error } = useAnswer('GET /webhooks');
  return (
    <>
      <PageHead
        title="Webhooks"
        name="Webhooks"
        about="The receivers of events. More than 100 errors within 10 minutes without a success block a subscription."
        actions={
          <button type="button" class="first" onClick={() => setAdding(true)}>
            Add a subscription
          </button>
        }
      />
      <ErrorNote what="The subscriptions cannot be read." error={error} />
      {value?.subscriptions.length === 0 ? <p class="empty">No subscriptions yet.</p> : null}
      {value?.subscriptions.map((each) => (
        <SubscriptionCard key={each.id} subscription={each} />
      ))}
      {isAdding ? <AddSubscription onClose={() => setAdding(false)} /> : null}
    </>
  );
}

const SubscriptionCard = ({ subscription }: { subscription: AdminSubscription }) => (
  <Section
    title={subscription.url}
    about={<Health subscription={subscription} />}
    actions={<SubscriptionActions subscription={subscription} />}
  >
    <Facts
      facts={[
        ['Errors in a row', subscription.errorCount],
        ['First error', <Time value={subscription.errorFirstDate} />],
        ['Last error', <Time value={subscription.errorLastDate} />],
        ['Created', <Time value={subscription.createdDate} />],
      ]}
    />
    <Facts
      isWide
      facts={[
        ['Deliveries', <Counts subscription={subscription} />],
        ['Events', <CoveredEvents subscription={subscription} />],
        [
          'Account',
          subscription.account === null ? (
            'every account'
          ) : (
            <bdi class="code">{subscription.account}</bdi>
          ),
        ],
        ['Public key', <Copy value={subscription.publicKey} what="public key" />],
      ]}
    />
  </Section>
);

function Health({
  subscription: { enabled, blockedByErrorCount },
}: {
  subscription: AdminSubscription;
}) {
  return (
    <>
      {blockedByErrorCount ? <Badge tone="bad">Blocked by errors</Badge> : null}
      {enabled ? null : <Badge tone="wait">Disabled</Badge>}
      {enabled && !blockedByErrorCount ? <Badge tone="good">Active</Badge> : null}
    </>
  );
}

function SubscriptionActions({ subscription }: { subscription: AdminSubscription }) {
  const { id, url, enabled, blockedByErrorCount } = subscription;
  const does =
    (action: 'enable' | 'disable' | 'unblock', done: string) => async (): Promise<string> => {
      await callAdmin(`POST /webhooks/${action}`, { body: { id } });
      return done;
    };
  return (
    <>
      {blockedByErrorCount ? (
        <ActionButton
          label="Unblock"
          about={url}
          kind="first"
          work={does('unblock', 'Unblocked. What failed or waited meanwhile is sent now.')}
        />
      ) : null}
      {enabled ? (
        <ActionButton
          label="Disable"
          about={url}
          work={does('disable', 'Disabled. What waits is held.')}
        />
      ) : (
        <ActionButton label="Enable" about={url} work={does('enable', 'Enabled.')} />
      )}
      <ActionButton
        label="Delete"
        about={url}
        kind="danger"
        question={<p>Waiting webhooks are never sent. You cannot undo this.</p>}
        work={async () => {
          await callAdmin('DELETE /webhooks', { query: { id } });
          return 'Deleted.';
        }}
      />
    </>
  );
}

function Counts({ subscription: { id, deliveries } }: { subscription: AdminSubscription }) {
  const present = DELIVERY_STATUSES.filter((status) => (deliveries[status] ?? 0) > 0);
  if (present.length === 0) return <>none yet</>;
  const linkOf = (status: AdminDeliveryStatus): string =>
    linkTo(['deliveries'], { subscription: id, status });
  return (
    <ul class="counts">
      {present.map((status) => (
        <li key={status}>
          <a data-row href={linkOf(status)}>
            {deliveries[status]} <DeliveryBadge status={status} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function CoveredEvents({ subscription }: { subscription: AdminSubscription }) {
  const every = useAnswer('GET /events/types', { once: true }).value?.groups;
  const { notificationServiceTypes: groups, notificationEventTypes: types } = subscription;
  if (every?.every((group) => groups.includes(group)) === true) return <>every event</>;
  const parts = [
    groups.length > 0 ? `groups ${groups.join(', ')}` : '',
    types.length > 0 ? `types ${types.join(', ')}` : '',
  ].filter((part) => part !== '');
  return <Text>{parts.join('; ')}</Text>;
}
