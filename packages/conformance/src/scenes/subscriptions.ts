import { randomUUID } from 'node:crypto';
import { demandAccepted, fieldOf, listOf, recordOf } from '../expect.ts';
import type { Answering, Inbox, Webhook } from '../receiver.ts';
import { given, type Run } from '../run.ts';
import type { Answer } from '../service.ts';

/** An address that is reserved for examples: nobody receives anything there. */
export const NOWHERE = 'https://webhooks.example.com/bursar-conformance';

const channelsOf = (answer: Answer): readonly unknown[] =>
  listOf(fieldOf(recordOf(answer, 'subscriptions'), 'subscriptions'));

export const listChannels = async ({
  service,
}: Pick<Run, 'service'>): Promise<readonly unknown[]> =>
  channelsOf(demandAccepted(await service.send('WEBHOOK_LIST')));

export const findChannel = async (run: Run, requestId: string): Promise<unknown> =>
  (await listChannels(run)).find((channel) => fieldOf(channel, 'requestId') === requestId);

/** What a subscription is made from; `requestId` and `url` are made up when left out. */
export type Asked = Readonly<{
  url?: string;
  notificationEventTypes?: readonly string[];
  notificationServiceTypes?: readonly string[];
}>;

/** Makes a subscription, which must be accepted. */
export async function subscribe(
  { service }: Run,
  asked: Asked,
): Promise<Readonly<{ requestId: string; answer: Answer }>> {
  const requestId = randomUUID();
  const payload = { requestId, url: NOWHERE, ...asked };
  const answer = demandAccepted(await service.send('WEBHOOK_CREATE', { payload }));
  return { requestId, answer };
}

export const unsubscribe = ({ service }: Run, requestId: string): Promise<Answer> =>
  service.send('WEBHOOK_DELETE', { payload: { requestId } });

/** Runs `use` with a subscription that is deleted afterwards. */
export async function withSubscription<Result>(
  run: Run,
  asked: Asked,
  use: (requestId: string) => Promise<Result>,
): Promise<Result> {
  const { requestId } = await subscribe(run, asked);
  try {
    return await use(requestId);
  } finally {
    await unsubscribe(run, requestId);
  }
}

/** The subscriptions that this run made and did not delete; they are known by their addresses. */
export async function ownChannels(run: Run): Promise<readonly unknown[]> {
  const bases = [NOWHERE, ...(run.receiver === null ? [] : [`${run.receiver.base}/`])];
  return (await listChannels(run)).filter((channel) =>
    bases.some((base) => String(fieldOf(channel, 'url')).startsWith(base)),
  );
}

/** Whether a webhook has all these texts as values, wherever they stand in its body. */
export function mentions({ body }: Webhook, texts: readonly string[]): boolean {
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

/** Times of the attempts at each webhook, in milliseconds; an attempt repeats the body. */
export function attemptsOf(webhooks: readonly Webhook[]): readonly (readonly number[])[] {
  const attempts = new Map<string, number[]>();
  for (const { body, atMs } of webhooks) {
    attempts.set(body, [...(attempts.get(body) ?? []), atMs]);
  }
  return [...attempts.values()];
}

export const openInbox = ({ receiver }: Run, answering?: Answering): Inbox =>
  given(receiver).expect(answering);
