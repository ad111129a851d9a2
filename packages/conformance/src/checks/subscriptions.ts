import { randomUUID } from 'node:crypto';
import { EVENT_GROUPS, EVENT_TYPES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import { demand, demandAccepted, demandEqual, fieldOf, namesIn, recordOf } from '../expect.ts';
import * as kinds from '../kinds.ts';
import { type Json, requestFields } from '../request-fields.ts';
import type { CheckRun } from '../run.ts';
import {
  findChannel,
  listChannels,
  NOWHERE,
  ownChannels,
  subscribe,
  SUBSCRIPTION,
  unsubscribe,
  withSubscription,
} from '../scenarios/subscriptions.ts';
import { coverageChecks } from './coverage.ts';

const OPERATIONS = ['WEBHOOK_CREATE', 'WEBHOOK_LIST', 'WEBHOOK_DELETE', 'objects'] as const;
const RECORD = { section: 'Webhook subscription', needs: OPERATIONS } as const;
const EVENTS = { section: 'Events', needs: OPERATIONS } as const;

const GROUP = kinds.oneOf('group of event types', EVENT_GROUPS);
const TYPE = kinds.oneOf('event type', EVENT_TYPES);

const payload = (): Json => ({
  requestId: randomUUID(),
  url: NOWHERE,
  notificationEventTypes: ['PAYOUT_CHANGE_STATUS'],
  notificationServiceTypes: ['SYSTEM'],
});

const FIELDS = {
  url: kinds.text,
  requestId: kinds.optional(kinds.uuid),
  notificationEventTypes: kinds.optional(kinds.listOfEach('array of event types', TYPE)),
  notificationServiceTypes: kinds.optional(kinds.listOfEach('array of event groups', GROUP)),
};

/** A subscription that exists until the end of the run. */
const lasting = (run: CheckRun): Promise<string> =>
  run.once('a lasting subscription', async () => {
    const types = {
      notificationEventTypes: ['PAYOUT_CHANGE_STATUS', 'PAYOUT_CONFIRMED'],
    };
    return (await subscribe(run, types)).requestId;
  });

/** A new subscription to events that no check triggers before its record is read. */
const fresh = (run: CheckRun): Promise<Readonly<{ requestId: string; record: unknown }>> =>
  run.once('a fresh subscription', async () => {
    const { requestId } = await subscribe(run, { notificationEventTypes: ['INVOICE_EXPIRED'] });
    return { requestId, record: await findChannel(run, requestId) };
  });

const channel = async (run: CheckRun): Promise<unknown> => (await fresh(run)).record;

const requestChecks: readonly ConformanceCheck[] = [
  ...requestFields({
    section: RECORD.section,
    id: 'webhooks.create.request',
    checkedBy: SUBSCRIPTION.checkedBy,
    request: 'Webhook subscription create request',
    operation: 'WEBHOOK_CREATE',
    needs: ['objects'],
    sample: payload,
    fields: FIELDS,
  }),
  ...requestFields({
    section: RECORD.section,
    id: 'webhooks.change.request',
    checkedBy: 'webhooks.life.changed',
    request: 'Webhook subscription change request',
    operation: 'WEBHOOK_CHANGE',
    needs: ['WEBHOOK_CREATE', 'objects'],
    sample: async (run) => ({ ...payload(), requestId: await lasting(run) }),
    fields: FIELDS,
  }),
];

/** A check of one field of a new subscription's record. */
const whenNew = (
  id: string,
  sentence: string,
  { name, value }: Readonly<{ name: string; value: unknown }>,
): ConformanceCheck => ({
  ...RECORD,
  id: `webhooks.new.${id}`,
  sentence,
  try: async (run) => {
    demandEqual(name, fieldOf(await channel(run), name), value);
    return met();
  },
});

const recordChecks: readonly ConformanceCheck[] = [
  {
    ...RECORD,
    id: 'webhooks.list.subscriptions',
    needs: ['WEBHOOK_LIST'],
    sentence: 'Webhook subscription list: `subscriptions` array, required.',
    try: async ({ service }) => {
      const answer = demandAccepted(await service.send('WEBHOOK_LIST'));
      const came = fieldOf(recordOf(answer, 'subscriptions'), 'subscriptions');
      demand(Array.isArray(came), 'subscriptions: array', came);
      return met();
    },
  },
  ...answerFields({
    ...RECORD,
    id: 'webhooks.record',
    record: 'Webhook subscription',
    read: async (run) => [await channel(run)],
    fields: {
      requestId: kinds.uuid,
      notificationEventTypes: kinds.listOfEach('array of event types', TYPE),
      url: kinds.text,
      publicKey: kinds.text,
      secretKey: kinds.text,
      createdDate: kinds.dateTime,
      enabled: kinds.boolean,
      blockedByErrorCount: kinds.boolean,
      errorCount: kinds.integer,
      errorFirstDate: kinds.dateTime,
      errorLastDate: kinds.dateTime,
    },
  }),
  {
    ...RECORD,
    id: 'webhooks.new.requestId',
    sentence: 'requestId is the id of the request that created the subscription.',
    try: async (run) => {
      const { requestId, record } = await fresh(run);
      demandEqual('requestId', fieldOf(record, 'requestId'), requestId);
      return met();
    },
  },
  whenNew('url', 'url is the address that receives the webhooks.', {
    name: 'url',
    value: NOWHERE,
  }),
  whenNew('unblocked', 'blockedByErrorCount is false before deliveries failed.', {
    name: 'blockedByErrorCount',
    value: false,
  }),
  whenNew('errorCount', 'errorCount is 0 before deliveries failed in a row.', {
    name: 'errorCount',
    value: 0,
  }),
  {
    ...RECORD,
    id: 'webhooks.create.answer',
    section: 'Endpoints',
    sentence: 'Response of webhook subscription create: not shown.',
    try: (run) =>
      withSubscription(run, { notificationServiceTypes: ['SYSTEM'] }, async () => {
        const { answer } = await subscribe(run, {
          notificationServiceTypes: ['SYSTEM'],
        });
        return notShown(`it has ${namesIn(recordOf(answer, 'requestId'))}`);
      }),
  },
];

const lifeChecks: readonly ConformanceCheck[] = [
  {
    ...EVENTS,
    id: 'webhooks.life.created',
    sentence: 'Subscriptions can be created and listed through the API.',
    try: async (run) => {
      demand((await channel(run)) !== undefined, 'that it is listed', 'no such subscription');
      return met();
    },
  },
  {
    ...EVENTS,
    id: 'webhooks.life.changed',
    sentence: 'Subscriptions can be changed through the API.',
    needs: [...OPERATIONS, 'WEBHOOK_CHANGE'],
    try: (run) =>
      withSubscription(run, { notificationEventTypes: ['PAYOUT_CONFIRMED'] }, async (requestId) => {
        const url = `${NOWHERE}/changed`;
        const types = ['PAYOUT_VALIDATION_ERROR'];
        const change = { requestId, url, notificationEventTypes: types };
        demandAccepted(await run.service.send('WEBHOOK_CHANGE', { payload: change }));
        const changed = await findChannel(run, requestId);
        demandEqual('url', fieldOf(changed, 'url'), url);
        demandEqual('types', String(fieldOf(changed, 'notificationEventTypes')), String(types));
        return met();
      }),
  },
  {
    ...EVENTS,
    id: 'webhooks.life.deleted',
    sentence: 'Subscriptions can be deleted through the API.',
    try: async (run) => {
      const { requestId } = await subscribe(run, {
        notificationEventTypes: ['PAYOUT_CONFIRMED'],
      });
      demandAccepted(await unsubscribe(run, requestId));
      const urls = (await listChannels(run)).map((each) => fieldOf(each, 'requestId'));
      demand(!urls.includes(requestId), 'that it is not listed', 'it is listed');
      return met();
    },
  },
];

/** The last check of a run. */
export const noneLeftCheck: ConformanceCheck = {
  ...EVENTS,
  id: 'webhooks.life.none-left',
  sentence: 'Subscriptions can be deleted through the API: none of this run is left.',
  try: async (run) => {
    const left = await ownChannels(run);
    for (const each of left) await unsubscribe(run, String(fieldOf(each, 'requestId')));
    demandEqual('subscriptions left', (await ownChannels(run)).length, 0);
    return met(`${left.length} were deleted`);
  },
};

export const subscriptionChecks: readonly ConformanceCheck[] = [
  ...requestChecks,
  ...recordChecks,
  ...coverageChecks,
  ...lifeChecks,
];
