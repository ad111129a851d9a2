import { createHmac } from 'node:crypto';
import {
  EVENT_GROUPS,
  EVENT_TYPES,
  WEBHOOK_RETRIES_MAX,
  webhookRetryDelaysS,
} from '@bursar/merchant-api/spec';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import { demand, demandAccepted, demandEqual, fieldOf, namesIn, show } from '../expect.ts';
import type { ReceivedWebhook } from '../receiver.ts';
import { required, realMs, type CheckRun } from '../run.ts';
import {
  FIRST_RETRY_S,
  triggerEvents,
  type ReceiverBehaviour,
  RECEIVER_BEHAVIOURS,
  webhooksByBehaviour,
  schedule,
  SOME_TYPE,
  WHOLE_SCHEDULE_S,
} from '../scenarios/deliveries.ts';
import {
  attemptsOf,
  findChannel,
  openInbox,
  withSubscription,
} from '../scenarios/subscriptions.ts';

const LISTENS = ['WEBHOOK_CREATE', 'WEBHOOK_DELETE', 'objects', 'receiver'] as const;
const ABOUT = { section: 'Events', needs: [...LISTENS, 'events'] } as const;

/** A webhook with the keys of its subscription. */
const received = (
  run: CheckRun,
): Promise<Readonly<{ webhook: ReceivedWebhook; channel: unknown }>> =>
  run.once('a webhook', () => {
    const inbox = openInbox(run);
    const asked = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
    return withSubscription(run, asked, async (requestId) => {
      await triggerEvents(run);
      await inbox.until((webhooks) => webhooks.length > 0, run.patienceMs);
      const [webhook] = inbox.webhooks();
      demand(webhook !== undefined, 'a webhook', 'none');
      const channel = await findChannel(run, requestId);
      return { webhook: webhook as ReceivedWebhook, channel };
    });
  });

const postChecks: readonly ConformanceCheck[] = [
  {
    ...ABOUT,
    id: 'webhooks.delivery.post',
    sentence: 'When a subscribed event occurs, an HTTP POST is sent to the url.',
    try: async (run) => {
      demandEqual('method', (await received(run)).webhook.method, 'POST');
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.delivery.body',
    sentence: 'The body of a webhook request: not shown.',
    try: async (run) => {
      const { headers, body } = (await received(run)).webhook;
      const type = show(headers['content-type']);
      return notShown(`${type} with ${namesIn(readJson(body))}`);
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.delivery.signature',
    section: 'Authentication',
    sentence: 'Verification of the signature on incoming webhooks: not shown.',
    needs: [...ABOUT.needs, 'WEBHOOK_LIST'],
    try: async (run) => {
      const { webhook, channel } = await received(run);
      const { sign } = webhook.headers;
      if (sign === undefined) return notShown('no Sign');
      const secret = String(fieldOf(channel, 'secretKey'));
      const own = createHmac('sha512', secret).update(webhook.body).digest('hex');
      return notShown(sign === own ? 'signed as requests are, by its secretKey' : 'another Sign');
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.delivery.every-type',
    sentence: 'Each of the event types is sent to a subscription to all groups.',
    needs: [...LISTENS, 'person'],
    try: async (run) => {
      const inbox = openInbox(run);
      const asked = { url: inbox.url, notificationServiceTypes: EVENT_GROUPS };
      return withSubscription(run, asked, async () => {
        for (const type of EVENT_TYPES) await required(run.person).announce(type);
        await inbox.until((webhooks) => webhooks.length >= EVENT_TYPES.length, run.patienceMs);
        demandEqual('webhooks', attemptsOf(inbox.webhooks()).length, EVENT_TYPES.length);
        return met(`${EVENT_TYPES.length} event types`);
      });
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.delivery.only-subscribed',
    sentence: 'Only subscribed events are sent.',
    needs: [...LISTENS, 'person'],
    try: async (run) => {
      const inbox = openInbox(run);
      const asked = {
        url: inbox.url,
        notificationEventTypes: ['PAYOUT_CONFIRMED'],
      };
      return withSubscription(run, asked, async () => {
        const { announce } = required(run.person);
        await announce('SYSTEM_NEW_FEATURE');
        await announce('PAYOUT_CHANGE_STATUS');
        await announce('PAYOUT_CONFIRMED');
        await inbox.until((webhooks) => webhooks.length > 0, run.patienceMs);
        demandEqual('webhooks', inbox.webhooks().length, 1);
        return met();
      });
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.delivery.changed-url',
    sentence: 'After a change webhooks are sent to the new url.',
    needs: [...ABOUT.needs, 'WEBHOOK_CHANGE'],
    try: async (run) => {
      const [before, after] = [openInbox(run), openInbox(run)];
      const types = { notificationEventTypes: [SOME_TYPE] };
      return withSubscription(run, { url: before.url, ...types }, async (requestId) => {
        const payload = { requestId, url: after.url, ...types };
        demandAccepted(await run.service.send('WEBHOOK_CHANGE', { payload }));
        await triggerEvents(run);
        await after.until((webhooks) => webhooks.length > 0, run.patienceMs);
        demand(after.webhooks().length > 0, 'a webhook at the new url', 'none');
        demandEqual('webhooks at the old url', before.webhooks().length, 0);
        return met();
      });
    },
  },
];

/**
 * A check that the behaviour of a receiver counts as delivered or not. It waits until the first
 * retry is due.
 */
function outcomeCheck(outcome: ReceiverBehaviour): ConformanceCheck {
  const isDelivered = RECEIVER_BEHAVIOURS[outcome] === 200;
  const words = outcome === 'no-answer' ? 'No answer' : `A response with status ${outcome}`;
  return {
    ...ABOUT,
    id: `webhooks.outcome.${outcome}`,
    sentence: isDelivered
      ? `${words} means delivered; the webhook is then not sent again.`
      : `${words} is an error and leads to retries.`,
    takesS: 2 * FIRST_RETRY_S,
    try: async (run) => {
      const attempts = attemptsOf((await webhooksByBehaviour(run)).get(outcome) ?? []);
      demand(attempts.length > 0, 'a webhook', 'none');
      const isRepeated = attempts.some((times) => times.length > 1);
      demandEqual('sent again', isRepeated, !isDelivered);
      return met();
    },
  };
}

/** How late a retry may be: half of its interval, and a moment of a busy computer. */
const LATE_MS = 2_000;
/** The rounding error of clocks in whole milliseconds. */
const EARLY_MS = 5;

/** Throws Unmet unless a retry comes after its interval, and not much later. */
function demandInterval(run: CheckRun, times: readonly number[], nth: number): void {
  const waitedMs = (times[nth] ?? Number.NaN) - (times[nth - 1] ?? Number.NaN);
  const delayS = webhookRetryDelaysS()[nth - 1] ?? 0;
  const dueMs = realMs(run, delayS);
  const isRight = waitedMs >= dueMs - EARLY_MS && waitedMs <= 1.5 * dueMs + LATE_MS;
  const seconds = (ms: number): string => `${Math.round((ms * run.speed) / 1000)} s`;
  demand(isRight, `retry ${nth} after ${delayS} s`, `after ${seconds(waitedMs)}`);
}

const retryChecks: readonly ConformanceCheck[] = [
  {
    ...ABOUT,
    id: 'webhooks.retries.first',
    sentence: 'The first retry comes after 30 seconds.',
    takesS: 2 * FIRST_RETRY_S,
    try: async (run) => {
      const [times = []] = attemptsOf((await webhooksByBehaviour(run)).get('500') ?? []);
      demandInterval(run, times, 1);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.retries.count',
    section: 'Limits',
    sentence: 'Webhook retries: 19 in total, after which resending stops.',
    takesS: WHOLE_SCHEDULE_S,
    try: async (run) => {
      for (const times of (await schedule(run)).attempts) {
        demandEqual('retries', times.length - 1, WEBHOOK_RETRIES_MAX);
      }
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.retries.intervals',
    sentence:
      'Intervals: 30 s, 60 s, 90 s, 150 s, 240 s and so on, each the sum of the two before.',
    takesS: WHOLE_SCHEDULE_S,
    try: async (run) => {
      const [times = []] = (await schedule(run)).attempts;
      for (let nth = 1; nth <= WEBHOOK_RETRIES_MAX; nth += 1) demandInterval(run, times, nth);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.retries.last',
    sentence: 'The last interval is 125430 s.',
    takesS: WHOLE_SCHEDULE_S,
    try: async (run) => {
      const [times = []] = (await schedule(run)).attempts;
      demandInterval(run, times, WEBHOOK_RETRIES_MAX);
      return met();
    },
  },
];

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const deliveryChecks: readonly ConformanceCheck[] = [
  ...postChecks,
  ...(Object.keys(RECEIVER_BEHAVIOURS) as ReceiverBehaviour[]).map(outcomeCheck),
  ...retryChecks,
];
