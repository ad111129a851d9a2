import { setTimeout as pause } from 'node:timers/promises';
import { webhookRetryDelaysS } from '@bursar/merchant-api/spec';
import { waitFor } from '../waiting.ts';
import type { WebhookResponder, ReceivedWebhook } from '../receiver.ts';
import { required, realMs, type CheckRun } from '../run.ts';
import { createPayout, payoutPayload } from './creates.ts';
import { attemptsOf, openInbox, subscribe, unsubscribe } from './subscriptions.ts';

/** The type of the events that the checks trigger. */
export const SOME_TYPE = 'PAYOUT_CHANGE_STATUS';

/** Triggers events of that type: through a person, or by payments. */
export async function triggerEvents(run: CheckRun, times = 1): Promise<void> {
  const { person } = run;
  if (person === null) {
    await createPayout(run, payoutPayload(run));
    return;
  }
  for (let done = 0; done < times; done += 1) await person.announce(SOME_TYPE);
}

/** What a receiver does with a webhook. Only the first one counts as delivered. */
export const RECEIVER_BEHAVIOURS = {
  '200': 200,
  '201': 201,
  '204': 204,
  '302': 302,
  '404': 404,
  '500': 500,
  'no-answer': 'close',
} as const satisfies Record<string, number | 'close'>;

export type ReceiverBehaviour = keyof typeof RECEIVER_BEHAVIOURS;

/** The first interval of the specification, and a time that safely contains it. */
export const FIRST_RETRY_S = 30;
const FIRST_RETRY_SEEN_S = 50;

/** A moment for effects that the specification has as immediate, in milliseconds. */
const MOMENT_MS = 1_000;

/** Webhooks by the behaviour of their receiver, collected until after the first retry. */
export const webhooksByBehaviour = (
  run: CheckRun,
): Promise<ReadonlyMap<ReceiverBehaviour, readonly ReceivedWebhook[]>> =>
  run.once('outcomes', async () => {
    const names = Object.keys(RECEIVER_BEHAVIOURS) as ReceiverBehaviour[];
    const asked = names.map((name) => ({
      name,
      inbox: openInbox(run, () => RECEIVER_BEHAVIOURS[name]),
    }));
    const ids: string[] = [];
    try {
      for (const { inbox } of asked) {
        const fields = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
        ids.push((await subscribe(run, fields)).requestId);
      }
      await triggerEvents(run);
      const haveSent = (times: number, some: typeof asked): Promise<boolean> =>
        waitFor(run, () =>
          some.every(({ inbox }) =>
            attemptsOf(inbox.webhooks()).some((attempts) => attempts.length >= times),
          ),
        );
      await haveSent(1, asked);
      const undelivered = asked.filter(({ name }) => RECEIVER_BEHAVIOURS[name] !== 200);
      await Promise.all([
        pause(realMs(run, FIRST_RETRY_SEEN_S) + MOMENT_MS),
        haveSent(2, undelivered),
      ]);
      return new Map(asked.map(({ name, inbox }) => [name, [...inbox.webhooks()]]));
    } finally {
      for (const id of ids) await unsubscribe(run, id);
    }
  });

/** The sum of all intervals of the specification, in seconds. */
export const WHOLE_SCHEDULE_S = webhookRetryDelaysS().reduce((sum, delayS) => sum + delayS, 0);

/**
 * Seven attempts of each webhook fall into 10 minutes. With so few webhooks they stay below 100.
 */
const UNDELIVERED = 12;

/** A receiver at which every webhook fails, until after the last attempt. */
type Schedule = Readonly<{
  requestId: string;
  /** The times of the attempts of each webhook, in milliseconds. */
  attempts: readonly (readonly number[])[];
  /** When the run stopped waiting, in milliseconds since 1970. */
  endMs: number;
}>;

export const schedule = (run: CheckRun): Promise<Schedule> =>
  run.once('schedule', async () => {
    const inbox = openInbox(run, () => 500);
    const fields = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
    const { requestId } = await subscribe(run, fields);
    await triggerEvents(run, UNDELIVERED);
    const expected = webhookRetryDelaysS().length + 1;
    const isDone = (): boolean =>
      inbox.webhooks().length > 0 &&
      attemptsOf(inbox.webhooks()).every((times) => times.length >= expected);
    const forMs = 2 * realMs(run, WHOLE_SCHEDULE_S) + run.patienceMs;
    await waitFor(run, isDone, { forMs });
    // A further attempt would come within an interval that is little longer than the last one.
    await pause(realMs(run, FIRST_RETRY_SEEN_S) + MOMENT_MS);
    return { requestId, attempts: attemptsOf(inbox.webhooks()), endMs: Date.now() };
  });

/** A receiver that fails while `isFailing` is true. */
type Switch = { isFailing: boolean };

export const failingWhile =
  (state: Switch): WebhookResponder =>
  () =>
    state.isFailing ? 500 : 200;

export const announceAll = async (run: CheckRun, times: number): Promise<void> => {
  const person = required(run.person);
  for (let done = 0; done < times; done += 1) await person.announce(SOME_TYPE);
};
