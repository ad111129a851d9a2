import { randomUUID } from 'node:crypto';
import { all, broken, type Check, met, open, type Verdict } from '../check.ts';
import type { Given } from '../given.ts';
import type { Answer, Service } from '../service.ts';
import { eachHasFields, fieldOf, is, isError, recordOf, succeeded } from '../shape.ts';

const CHANNEL = {
  requestId: is.uuid,
  notificationEventTypes: is.list,
  url: is.text,
  publicKey: is.text,
  secretKey: is.text,
  createdDate: is.dateTime,
  enabled: is.boolean,
  blockedByErrorCount: is.boolean,
  errorCount: is.integer,
  errorFirstDate: is.optional(is.dateTime),
  errorLastDate: is.optional(is.dateTime),
};

const SUBSCRIPTIONS = {
  needs: ['WEBHOOK_CREATE', 'WEBHOOK_CHANGE', 'WEBHOOK_LIST', 'WEBHOOK_DELETE'],
  leaves: 'objects',
} as const;

/** An address that is reserved for examples: nobody receives anything there. */
const NOWHERE = 'https://webhooks.example.com/conformance';

const channelsOf = (answer: Answer): unknown[] => {
  const list = fieldOf(recordOf(answer, 'subscriptions'), 'subscriptions');
  return Array.isArray(list) ? list : [];
};

const findChannel = async (service: Service, requestId: string): Promise<unknown> =>
  channelsOf(await service.send('WEBHOOK_LIST')).find(
    (channel) => fieldOf(channel, 'requestId') === requestId,
  );

const remove = (service: Service, requestId: string): Promise<Answer> =>
  service.send('WEBHOOK_DELETE', { payload: { requestId } });

/** Runs `use` with a subscription that is deleted afterwards. */
async function withSubscription(
  service: Service,
  fields: Readonly<Record<string, unknown>>,
  use: (requestId: string, created: Answer) => Promise<Verdict>,
): Promise<Verdict> {
  const requestId = randomUUID();
  const created = await service.send('WEBHOOK_CREATE', { payload: { requestId, ...fields } });
  try {
    return await use(requestId, created);
  } finally {
    await remove(service, requestId);
  }
}

type Enough = (bodies: readonly string[]) => boolean;

/** Pays a little so that something happens, and waits for the webhooks of it. */
async function awaitEvent(
  service: Service,
  given: Given,
  { statuses, enough }: Readonly<{ statuses: readonly number[]; enough: Enough }>,
): Promise<Verdict> {
  const { receiver, payment, patienceMs } = given;
  if (receiver === null) return open('no address was given at which this computer can be reached');
  if (payment === null) return open('nothing may be paid, so nothing happens');
  const inbox = receiver.expect(statuses);
  const fields = { url: inbox.url, notificationEventTypes: ['PAYOUT_CHANGE_STATUS'] };
  return withSubscription(service, fields, async (_id, created) =>
    all(
      () => succeeded(created),
      async () =>
        succeeded(
          await service.send('MASS_CREATE', {
            payload: {
              currency: payment.currency,
              idempotencyKey: randomUUID(),
              massAddresses: [{ depositAddress: payment.address, amount: Number(payment.amount) }],
            },
          }),
        ),
      async () =>
        (await inbox.until(enough, patienceMs))
          ? met(`${inbox.bodies().length} webhooks`)
          : broken(`${inbox.bodies().length} webhooks came`),
    ),
  );
}

export const webhookChecks: readonly Check[] = [
  {
    ...SUBSCRIPTIONS,
    id: 'webhook-create-list',
    section: 'Webhook subscription',
    sentence: 'A subscription that was created is listed with all fields of WebhookChannelDTO.',
    try: (service) =>
      withSubscription(
        service,
        { url: NOWHERE, notificationEventTypes: ['PAYOUT_CHANGE_STATUS', 'PAYOUT_CONFIRMED'] },
        async (requestId, created) =>
          all(
            () => succeeded(created),
            async () => eachHasFields([await findChannel(service, requestId)], CHANNEL),
          ),
      ),
  },
  {
    ...SUBSCRIPTIONS,
    id: 'webhook-groups',
    section: 'Events',
    sentence: 'A subscription to a group covers all event types of that group.',
    try: (service) =>
      withSubscription(
        service,
        { url: NOWHERE, notificationServiceTypes: ['PAYOUT'] },
        async (requestId, created) =>
          all(
            () => succeeded(created),
            async () => coversPayouts(await findChannel(service, requestId)),
          ),
      ),
  },
  {
    ...SUBSCRIPTIONS,
    id: 'webhook-change',
    section: 'Events',
    sentence: 'Subscriptions can be changed through the API.',
    try: (service) =>
      withSubscription(
        service,
        { url: NOWHERE, notificationEventTypes: ['PAYOUT_CHANGE_STATUS'] },
        async (requestId) => {
          const url = `${NOWHERE}/changed`;
          const types = { notificationEventTypes: ['PAYOUT_CONFIRMED'] };
          const changed = await service.send('WEBHOOK_CHANGE', {
            payload: { requestId, url, ...types },
          });
          return all(
            () => succeeded(changed),
            async () => hasUrl(await findChannel(service, requestId), url),
          );
        },
      ),
  },
  {
    ...SUBSCRIPTIONS,
    id: 'webhook-delete',
    section: 'Events',
    sentence: 'Subscriptions can be deleted through the API.',
    try: async (service) => {
      const requestId = randomUUID();
      const payload = { requestId, url: NOWHERE, notificationEventTypes: ['PAYOUT_CHANGE_STATUS'] };
      await service.send('WEBHOOK_CREATE', { payload });
      return all(
        async () => succeeded(await remove(service, requestId)),
        async () =>
          (await findChannel(service, requestId)) === undefined ? met() : broken('still listed'),
      );
    },
  },
  {
    ...SUBSCRIPTIONS,
    id: 'webhook-type-unknown',
    section: 'Webhook subscription',
    sentence: 'notificationEventTypes holds documented event types.',
    try: async (service) =>
      isError(
        await service.send('WEBHOOK_CREATE', {
          payload: { url: NOWHERE, notificationEventTypes: ['NO_SUCH_EVENT'] },
        }),
      ),
  },
  {
    id: 'webhook-delivered',
    section: 'Events',
    sentence: 'When a subscribed event occurs, the service POSTs its data; 200 means delivered.',
    needs: ['WEBHOOK_CREATE', 'WEBHOOK_DELETE', 'MASS_CREATE'],
    leaves: 'payments',
    try: (service, given) =>
      awaitEvent(service, given, { statuses: [], enough: (bodies) => bodies.length > 0 }),
  },
  {
    id: 'webhook-retried',
    section: 'Events',
    sentence: 'Any other outcome than status 200 leads to retries, the first after 30 seconds.',
    needs: ['WEBHOOK_CREATE', 'WEBHOOK_DELETE', 'MASS_CREATE'],
    leaves: 'payments',
    try: (service, given) => awaitEvent(service, given, { statuses: [500], enough: hasRepeat }),
  },
];

const hasRepeat: Enough = (bodies) => new Set(bodies).size < bodies.length;

function coversPayouts(channel: unknown): Verdict {
  const types = fieldOf(channel, 'notificationEventTypes');
  const covered = Array.isArray(types) && types.includes('PAYOUT_CHANGE_STATUS');
  return covered ? met() : broken(`it covers ${JSON.stringify(types)}`);
}

const hasUrl = (channel: unknown, url: string): Verdict =>
  fieldOf(channel, 'url') === url ? met() : broken(`url is ${String(fieldOf(channel, 'url'))}`);
