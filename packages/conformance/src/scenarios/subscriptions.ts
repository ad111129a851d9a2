import { randomUUID } from 'node:crypto';
import { demandFor, fieldOf, listOf, type NeededObject, recordOf } from '../expect.ts';
import type { WebhookResponder, Inbox, ReceivedWebhook } from '../receiver.ts';
import { required, type CheckRun } from '../run.ts';
import type { ServiceAnswer } from '../service.ts';

/** An address that is reserved for examples, so it never receives anything. */
export const NOWHERE = 'https://webhooks.example.com/bursar-conformance';

const LISTING: NeededObject = {
  words: 'the list of subscriptions',
  checkedBy: 'webhooks.list.subscriptions',
};
export const SUBSCRIPTION: NeededObject = {
  words: 'a subscription',
  checkedBy: 'webhooks.life.created',
};

const channelsOf = (answer: ServiceAnswer): readonly unknown[] =>
  listOf(fieldOf(recordOf(answer, 'subscriptions'), 'subscriptions'));

export const listChannels = async ({ service }: CheckRun): Promise<readonly unknown[]> =>
  channelsOf(demandFor(await service.send('WEBHOOK_LIST'), LISTING));

export const findChannel = async (run: CheckRun, requestId: string): Promise<unknown> =>
  (await listChannels(run)).find((channel) => fieldOf(channel, 'requestId') === requestId);

/** The fields of a subscription. `requestId` and `url` have defaults. */
export type SubscriptionFields = Readonly<{
  url?: string;
  notificationEventTypes?: readonly string[];
  notificationServiceTypes?: readonly string[];
}>;

/** Makes a subscription. Throws Unprepared when the service refuses it. */
export async function subscribe(
  { service }: CheckRun,
  asked: SubscriptionFields,
): Promise<Readonly<{ requestId: string; answer: ServiceAnswer }>> {
  const requestId = randomUUID();
  const payload = { requestId, url: NOWHERE, ...asked };
  const answer = demandFor(await service.send('WEBHOOK_CREATE', { payload }), SUBSCRIPTION);
  return { requestId, answer };
}

export const unsubscribe = ({ service }: CheckRun, requestId: string): Promise<ServiceAnswer> =>
  service.send('WEBHOOK_DELETE', { payload: { requestId } });

/** Runs `use` with a subscription, and then deletes it. */
export async function withSubscription<Result>(
  run: CheckRun,
  asked: SubscriptionFields,
  use: (requestId: string) => Promise<Result>,
): Promise<Result> {
  const { requestId } = await subscribe(run, asked);
  try {
    return await use(requestId);
  } finally {
    await unsubscribe(run, requestId);
  }
}

/** Returns the subscriptions of this run that still exist. Their addresses identify them. */
export async function ownChannels(run: CheckRun): Promise<readonly unknown[]> {
  const bases = [NOWHERE, ...(run.receiver === null ? [] : [`${run.receiver.base}/`])];
  return (await listChannels(run)).filter((channel) =>
    bases.some((base) => String(fieldOf(channel, 'url')).startsWith(base)),
  );
}

/** Whether a webhook's body contains all these texts as values, at any depth. */
export function containsTexts({ body }: ReceivedWebhook, texts: readonly string[]): boolean {
  const found = new Set<string>();
  collectTexts(readJson(body), found);
  return texts.every((text) => found.has(text));
}

function collectTexts(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') found.add(value);
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectTexts(inner, found);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the times of the attempts of each webhook, in milliseconds. The attempts of a webhook
 * have equal bodies.
 */
export function attemptsOf(webhooks: readonly ReceivedWebhook[]): readonly (readonly number[])[] {
  const attempts = new Map<string, number[]>();
  for (const { body, atMs } of webhooks) {
    attempts.set(body, [...(attempts.get(body) ?? []), atMs]);
  }
  return [...attempts.values()];
}

export const openInbox = ({ receiver }: CheckRun, answering?: WebhookResponder): Inbox =>
  required(receiver).expect(answering);
