import { createHmac } from 'node:crypto';
import {
  EVENT_GROUPS,
  EVENT_TYPES,
  WEBHOOK_RETRIES_MAX,
  webhookRetryDelaysS,
} from '@bursar/merchant-api/spec';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import { demand, demandAccepted, demandEqual, fieldOf, namesIn, show, TooSlow } from '../expect.ts';
import { comes, demandPace, demandWait } from '../waiting.ts';
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
      await comes(run, 'no webhook came', () => inbox.webhooks().length > 0);
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
        const came = (): number => attemptsOf(inbox.webhooks()).length;
        await comes(run, 'not all webhooks came', () => came() >= EVENT_TYPES.length);
        demandEqual('webhooks', came(), EVENT_TYPES.length);
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
        await comes(run, 'no webhook came', () => inbox.webhooks().length > 0);
        demandEqual('webhooks', attemptsOf(inbox.webhooks()).length, 1);
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
        await comes(run, 'no webhook came', () => after.webhooks().length > 0);
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
      if (attempts.length === 0) demandWait(run, 'no webhook came');
      demand(attempts.length > 0, 'a webhook', 'none');
      const isRepeated = attempts.some((times) => times.length > 1);
      // A late answer of this receiver is an outcome that the service may take for none.
      if (isDelivered && isRepeated) demandPace(run, firstOf(attempts), LATE_ANSWER_MS);
      if (!isDelivered && !isRepeated) demandWait(run, 'it was not sent again');
      demandEqual('sent again', isRepeated, !isDelivered);
      return met();
    },
  };
}

/** How late a retry may be: half of its interval, and a moment of a busy computer. */
const LATE_MS = 2_000;
/** The rounding error of clocks in whole milliseconds. */
const EARLY_MS = 5;

/** The lateness of this program with which an interval is still measured, in milliseconds. */
const LATE_INTERVAL_MS = 100;
/** The lateness with which a webhook is still answered in time, in milliseconds. */
const LATE_ANSWER_MS = 500;

type Attempts = readonly (readonly number[])[];

const firstOf = (attempts: Attempts): number => Math.min(...attempts.flat());

/** The latest time at which a retry is not late, after the attempt before it. */
const latestMs = (run: CheckRun, nth: number): number =>
  1.5 * realMs(run, webhookRetryDelaysS()[nth - 1] ?? 0) + LATE_MS;

/**
 * Throws Unmet unless a retry comes after its interval, and not much later. One of several webhooks
 * is enough: a busy computer delays some of them.
 */
function demandInterval(run: CheckRun, attempts: Attempts, nth: number): void {
  const pairs = attempts.flatMap(({ [nth - 1]: before, [nth]: at }) =>
    before === undefined || at === undefined ? [] : [{ before, waitedMs: at - before }],
  );
  const delayS = webhookRetryDelaysS()[nth - 1] ?? 0;
  if (pairs.length === 0) demandWait(run, `retry ${nth} did not come`);
  demand(pairs.length > 0, `retry ${nth} after ${delayS} s`, 'none');
  const waits = pairs.map(({ waitedMs }) => waitedMs);
  const isEarly = Math.max(...waits) < realMs(run, delayS) - EARLY_MS;
  const isLate = Math.min(...waits) > latestMs(run, nth);
  if (!isEarly && !isLate) return;
  demandPace(run, Math.min(...pairs.map(({ before }) => before)), LATE_INTERVAL_MS);
  const cameS = Math.round(((waits[0] ?? 0) * run.speed) / 1_000);
  demand(false, `retry ${nth} after ${delayS} s`, `after ${cameS} s`);
}

const retryChecks: readonly ConformanceCheck[] = [
  {
    ...ABOUT,
    id: 'webhooks.retries.first',
    sentence: 'The first retry comes after 30 seconds.',
    takesS: 2 * FIRST_RETRY_S,
    try: async (run) => {
      const attempts = attemptsOf((await webhooksByBehaviour(run)).get('500') ?? []);
      demandInterval(run, attempts, 1);
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
      const { attempts, endMs } = await schedule(run);
      if (attempts.length === 0) demandWait(run, 'no webhook came');
      demand(attempts.length > 0, 'a webhook', 'none');
      for (const times of attempts) {
        const isOver = endMs - (times.at(-1) ?? 0) > latestMs(run, times.length);
        if (times.length <= WEBHOOK_RETRIES_MAX && !isOver) {
          throw new TooSlow(`retry ${times.length} was not late yet`);
        }
        if (times.length <= WEBHOOK_RETRIES_MAX) demandPace(run, firstOf([times]), LATE_MS);
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
      const { attempts } = await schedule(run);
      for (let nth = 1; nth <= WEBHOOK_RETRIES_MAX; nth += 1) demandInterval(run, attempts, nth);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.retries.last',
    sentence: 'The last interval is 125430 s.',
    takesS: WHOLE_SCHEDULE_S,
    try: async (run) => {
      demandInterval(run, (await schedule(run)).attempts, WEBHOOK_RETRIES_MAX);
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
