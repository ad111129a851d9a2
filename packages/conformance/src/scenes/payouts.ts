import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_TYPES_OF_GROUP } from '@bursar/merchant-api/spec';
import { demandAccepted, fieldOf, isAccepted, recordOf, Unmet } from '../expect.ts';
import type { Inbox, Webhook } from '../receiver.ts';
import type { Json } from '../request-fields.ts';
import { given, realMs, type Run } from '../run.ts';
import type { Answer, Request } from '../service.ts';
import { mentions, openInbox, subscribe } from './subscriptions.ts';

/** States in which nothing more happens by itself. */
export const ENDS: readonly string[] = ['COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'];

/** A mass payout that was made for this run. */
export type Payout = Readonly<{
  id: string;
  key: string;
  payload: Json;
  /** The answer to its create request, and the record in it. */
  answer: Answer;
  record: unknown;
}>;

/** A record as it was at some moment. */
export type Look = Readonly<{ record: unknown; state: string; atMs: number }>;

/** Stands for the amount, which is a number of any length in JSON, and text in this program. */
const AMOUNT = '@amount@';

/** How far ahead the execution date of a payout lies, in milliseconds; a sandbox does not move dates. */
const leadMs = ({ speed }: Run): number => (speed > 1 ? 700 : 15_000);

/** A payload with all documented fields. */
export function payoutPayload(run: Run, addresses?: readonly string[]): Json {
  const { currency, address } = given(run.payment);
  const idempotencyKey = randomUUID();
  return {
    currency,
    name: 'conformance',
    comment: 'made by a conformance run',
    massAddresses: (addresses ?? [address]).map((depositAddress) => ({
      depositAddress,
      amount: AMOUNT,
      comment: 'conformance',
    })),
    executionDate: new Date().toISOString(),
    idempotencyKey,
    externalId: `packages/conformance/src/${idempotencyKey}`,
  };
}

/** Sends a create request; `wrong` is what is wrong with it on purpose. */
export const sendPayout = (run: Run, payload: Json, wrong: Request = {}): Promise<Answer> => {
  const { account, service } = run;
  const { timestamp = Date.now(), ...rest } = wrong;
  const body = JSON.stringify({ timestamp, account, payload });
  const { amount } = given(run.payment);
  return service.send('MASS_CREATE', {
    ...rest,
    body: body.replaceAll(`"${AMOUNT}"`, amount),
  });
};

export async function createPayout(run: Run, payload: Json): Promise<Payout> {
  const answer = demandAccepted(await sendPayout(run, payload));
  const record = recordOf(answer, 'id');
  const key = String(payload['idempotencyKey']);
  return { id: String(fieldOf(record, 'id')), key, payload, answer, record };
}

type Form = Readonly<{
  words: string;
  body(payout: Pick<Payout, 'id' | 'key'>): object;
}>;

/** What POST /api/v1/payout/mass might take; the specification does not show it. */
const FORMS: readonly Form[] = [
  { words: 'payload with id', body: ({ id }) => ({ payload: { id } }) },
  {
    words: 'payload with idempotencyKey',
    body: ({ key }) => ({ payload: { idempotencyKey: key } }),
  },
  { words: 'id beside the timestamp', body: ({ id }) => ({ extra: { id } }) },
  {
    words: 'idempotencyKey beside the timestamp',
    body: ({ key }) => ({ extra: { idempotencyKey: key } }),
  },
];

/** Which form of MASS_GET finds a payout; the first one that does. */
export const findForm = (run: Run, payout: Payout): Promise<Form> =>
  run.once('form of MASS_GET', async () => {
    for (const form of FORMS) {
      const answer = await run.service.send('MASS_GET', form.body(payout));
      if (isAccepted(answer)) return form;
    }
    throw new Unmet(
      'that a mass payout is found',
      `no answer to ${FORMS.map(({ words }) => words).join(', ')}`,
    );
  });

export async function readPayout(run: Run, payout: Payout): Promise<Answer> {
  const form = await findForm(run, payout);
  return demandAccepted(await run.service.send('MASS_GET', form.body(payout)));
}

const POLL_MS_MIN = 20;
const POLL_S = 1;

/** Looks at a mass payout until it is in one of the states, or patience ends. */
export async function follow(
  run: Run,
  payout: Payout,
  states: readonly string[] = ENDS,
): Promise<readonly Look[]> {
  const looks: Look[] = [];
  const pollMs = Math.max(POLL_MS_MIN, realMs(run, POLL_S));
  for (const untilMs = Date.now() + run.patienceMs; Date.now() < untilMs; await pause(pollMs)) {
    const record = recordOf(await readPayout(run, payout), 'id');
    const look = {
      record,
      state: String(fieldOf(record, 'state')),
      atMs: Date.now(),
    };
    looks.push(look);
    if (states.includes(look.state)) break;
  }
  return looks;
}

/** A payout, followed to its end. */
export type Story = Readonly<{
  payout: Payout;
  looks: readonly Look[];
  last: unknown;
}>;

async function tell(run: Run, payload: Json): Promise<Story> {
  await payoutEvents(run);
  const payout = await createPayout(run, payload);
  const looks = await follow(run, payout);
  return { payout, looks, last: looks.at(-1)?.record };
}

/** One that is paid, not before its execution date. */
export const paidStory = (run: Run): Promise<Story> =>
  run.once('a paid payout', () => {
    const executionDate = new Date(Date.now() + leadMs(run)).toISOString();
    return tell(run, { ...payoutPayload(run), executionDate });
  });

/** Withdrawals of a payout that has several. */
export const ROWS = 3;

/** One of several withdrawals, after the paid one. */
export const rowsStory = (run: Run): Promise<Story> =>
  run.once('a payout of several rows', async () => {
    await paidStory(run);
    const { address } = given(run.payment);
    return tell(run, payoutPayload(run, Array<string>(ROWS).fill(address)));
  });

/** One of which one withdrawal fails and another is paid. */
export const partialStory = (run: Run): Promise<Story> =>
  run.once('a partial payout', () => {
    const { address, failingAddress } = given(run.payment);
    return tell(run, payoutPayload(run, [address, given(failingAddress)]));
  });

/** One of which everything fails. */
export const failedStory = (run: Run): Promise<Story> =>
  run.once('a failed payout', () =>
    tell(run, payoutPayload(run, [given(given(run.payment).failingAddress)])),
  );

/** One that fails the validation before the network. */
export const invalidStory = (run: Run): Promise<Story> =>
  run.once('an invalid payout', () =>
    tell(run, payoutPayload(run, [given(given(run.payment).invalidAddress)])),
  );

/** One that a person confirms, or declines. */
export const decidedStory = (run: Run, act: 'confirm' | 'decline'): Promise<Story> =>
  run.once(`a payout to ${act}`, async () => {
    const person = given(run.person);
    await payoutEvents(run);
    await person.demandConfirmations(1);
    try {
      const payout = await createPayout(run, payoutPayload(run));
      const before = await follow(run, payout, ['PENDING_CONFIRMATION', ...ENDS]);
      await person[act](payout.id);
      const looks = [...before, ...(await follow(run, payout))];
      return { payout, looks, last: looks.at(-1)?.record };
    } finally {
      await person.demandConfirmations(null);
    }
  });

/** The partial one after a person sent its failed withdrawal again. */
export const resentStory = (run: Run): Promise<Story> =>
  run.once('a resent payout', async () => {
    const { payout } = await partialStory(run);
    await given(run.person).resend(payout.id);
    const looks = await follow(run, payout, ['COMPLETED']);
    return { payout, looks, last: looks.at(-1)?.record };
  });

/** Where the webhooks of payouts come in; null where nobody can receive or subscribe. */
const payoutEvents = (run: Run): Promise<Inbox | null> =>
  run.once('webhooks of payouts', async () => {
    const { receiver, mayMake, service } = run;
    if (receiver === null || !mayMake || !service.has('WEBHOOK_CREATE')) return null;
    const inbox = openInbox(run);
    const notificationEventTypes = EVENT_TYPES_OF_GROUP.PAYOUT;
    await subscribe(run, { url: inbox.url, notificationEventTypes });
    return inbox;
  });

/** Whether a webhook of a payout came that has these texts; waits for it. */
export async function hasWebhook(
  run: Run,
  { id, key }: Payout,
  texts: readonly string[],
): Promise<boolean> {
  const inbox = await payoutEvents(run);
  const isOne = (webhook: Webhook): boolean =>
    mentions(webhook, texts) && (mentions(webhook, [id]) || mentions(webhook, [key]));
  return (await inbox?.until((webhooks) => webhooks.some(isOne), run.patienceMs)) ?? false;
}
