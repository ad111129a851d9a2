import { setTimeout as pause } from 'node:timers/promises';
import { webhookRetryDelaysS } from '@bursar/merchant-api/spec';
import { demandAccepted } from '../expect.ts';
import type { Answering, Webhook } from '../receiver.ts';
import { given, realMs, type Run } from '../run.ts';
import { payoutPayload, sendPayout } from './payouts.ts';
import { attemptsOf, openInbox, subscribe, unsubscribe } from './subscriptions.ts';

/** The type of event that is waited for. */
export const SOME_TYPE = 'PAYOUT_CHANGE_STATUS';

/** Makes events of that type happen: a person announces them, or a payment brings some. */
export async function happen(run: Run, times = 1): Promise<void> {
  const { person } = run;
  if (person === null) {
    demandAccepted(await sendPayout(run, payoutPayload(run)));
    return;
  }
  for (let done = 0; done < times; done += 1) await person.announce(SOME_TYPE);
}

/** What a receiver may do with a webhook; only the first means that it was delivered. */
export const OUTCOMES = {
  '200': 200,
  '201': 201,
  '204': 204,
  '302': 302,
  '404': 404,
  '500': 500,
  'no-answer': 'close',
} as const satisfies Record<string, number | 'close'>;

export type Outcome = keyof typeof OUTCOMES;

/** The first interval by the specification, and a good deal more of it. */
export const FIRST_RETRY_S = 30;
const FIRST_RETRY_SEEN_S = 50;

/** A moment for things that take none by the specification, in milliseconds. */
const MOMENT_MS = 1_000;

/** What came to receivers of which each does one thing with every webhook, until after the first retry. */
export const outcomes = (run: Run): Promise<ReadonlyMap<Outcome, readonly Webhook[]>> =>
  run.once('outcomes', async () => {
    const names = Object.keys(OUTCOMES) as Outcome[];
    const asked = names.map((name) => ({
      name,
      inbox: openInbox(run, () => OUTCOMES[name]),
    }));
    const ids: string[] = [];
    try {
      for (const { inbox } of asked) {
        const fields = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
        ids.push((await subscribe(run, fields)).requestId);
      }
      await happen(run);
      const isEach = (enough: (webhooks: readonly Webhook[]) => boolean) =>
        asked.map(({ inbox }) => inbox.until(enough, run.patienceMs));
      await Promise.all(isEach((webhooks) => webhooks.length > 0));
      await pause(realMs(run, FIRST_RETRY_SEEN_S) + MOMENT_MS);
      return new Map(asked.map(({ name, inbox }) => [name, [...inbox.webhooks()]]));
    } finally {
      for (const id of ids) await unsubscribe(run, id);
    }
  });

/** Every interval of the specification together, in seconds. */
export const WHOLE_SCHEDULE_S = webhookRetryDelaysS().reduce((sum, delayS) => sum + delayS, 0);

/** So few that seven attempts at each, which fall into 10 minutes, are no more than 100. */
const UNDELIVERED = 12;

/** A receiver at which every webhook fails, until the last attempt and beyond. */
type Schedule = Readonly<{
  requestId: string;
  /** Times of the attempts at each webhook, in milliseconds. */
  attempts: readonly (readonly number[])[];
}>;

export const schedule = (run: Run): Promise<Schedule> =>
  run.once('schedule', async () => {
    const inbox = openInbox(run, () => 500);
    const fields = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
    const { requestId } = await subscribe(run, fields);
    await happen(run, UNDELIVERED);
    const expected = webhookRetryDelaysS().length + 1;
    const isDone = (webhooks: readonly Webhook[]): boolean =>
      webhooks.length > 0 && attemptsOf(webhooks).every((times) => times.length >= expected);
    await inbox.until(isDone, 2 * realMs(run, WHOLE_SCHEDULE_S) + run.patienceMs);
    // Another attempt would come in an interval that is not longer than the last one by much.
    await pause(realMs(run, FIRST_RETRY_SEEN_S) + MOMENT_MS);
    return { requestId, attempts: attemptsOf(inbox.webhooks()) };
  });

/** A receiver that fails as long as it is told to. */
type Switch = { isFailing: boolean };

export const failingWhile =
  (state: Switch): Answering =>
  () =>
    state.isFailing ? 500 : 200;

export const announceAll = async (run: Run, times: number): Promise<void> => {
  const person = given(run.person);
  for (let done = 0; done < times; done += 1) await person.announce(SOME_TYPE);
};
