import { randomUUID } from 'node:crypto';
import { EVENT_TYPES_OF_GROUP, type Shapes } from '@bursar/merchant-api/spec';
import { bodyOf } from '../body.ts';
import {
  demandFor,
  fieldOf,
  isAccepted,
  type NeededObject,
  recordOf,
  showAnswer,
  Unmet,
  Unprepared,
} from '../expect.ts';
import { demandWait, waitFor } from '../pace.ts';
import type { Inbox, ReceivedWebhook } from '../receiver.ts';
import type { Json } from '../request-fields.ts';
import { required, realMs, type CheckRun } from '../run.ts';
import type { ServiceAnswer, ServiceRequest } from '../service.ts';
import { containsTexts, openInbox, subscribe } from './subscriptions.ts';

/** States that change only when a person acts. */
export const ENDS: readonly string[] = ['COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'];

/** The two names by which a mass payout is found. */
export type MassPayoutNames = Readonly<{ id: string; key: string }>;

/** A mass payout that was made for this run. */
export type CreatedPayout = MassPayoutNames &
  Readonly<{
    payload: Json;
    /** The answer to its create request, and the record in it. */
    answer: ServiceAnswer;
    record: unknown;
  }>;

const PAYOUT: NeededObject = { words: 'a mass payout', checkedBy: 'mass-create.state' };
const READING: NeededObject = { words: 'a mass payout to read', checkedBy: 'mass-get.request' };

/** A record at one moment. */
export type PayoutSnapshot = Readonly<{ record: unknown; state: string; atMs: number }>;

/**
 * A placeholder for the amount, which is a number of any length in JSON and text in this program.
 */
const AMOUNT = '@amount@';

/**
 * How far in the future the execution date of a payout is, in milliseconds. A fast sandbox does not
 * move dates.
 */
const leadMs = ({ speed }: CheckRun): number => (speed > 1 ? 700 : 15_000);

/** A payload with all documented fields. */
export function payoutPayload(run: CheckRun, addresses?: readonly string[]): Json {
  const { currency, address } = required(run.payment);
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

/** Sends a create request, with the mistakes of `wrong`. */
export const sendPayout = (
  run: CheckRun,
  payload: Json,
  wrong: ServiceRequest = {},
): Promise<ServiceAnswer> => {
  const body = bodyOf(run, 'MASS_CREATE', { ...wrong, payload });
  const { amount } = required(run.payment);
  return run.service.send('MASS_CREATE', {
    ...wrong,
    body: body.replaceAll(`"${AMOUNT}"`, amount),
  });
};

export const createPayout = async (run: CheckRun, payload: Json): Promise<CreatedPayout> =>
  payoutOf(payload, demandFor(await sendPayout(run, payload), PAYOUT));

/** Returns the mass payout that a create request made. */
export function payoutOf(payload: Json, answer: ServiceAnswer): CreatedPayout {
  const record = recordOf(answer, 'id');
  const key = String(payload['idempotencyKey']);
  return { id: String(fieldOf(record, 'id')), key, payload, answer, record };
}

type Form = Readonly<{
  words: string;
  names: 'id' | 'key';
  isFlat: boolean;
  body(names: MassPayoutNames): object;
}>;

/** Possible bodies of POST /api/v1/payout/mass. The specification does not show it. */
export const FORMS: readonly Form[] = [
  {
    words: 'payload with id',
    names: 'id',
    isFlat: false,
    body: ({ id }) => ({ payload: { id } }),
  },
  {
    words: 'payload with idempotencyKey',
    names: 'key',
    isFlat: false,
    body: ({ key }) => ({ payload: { idempotencyKey: key } }),
  },
  {
    words: 'id beside the timestamp',
    names: 'id',
    isFlat: true,
    body: ({ id }) => ({ extra: { id } }),
  },
  {
    words: 'idempotencyKey beside the timestamp',
    names: 'key',
    isFlat: true,
    body: ({ key }) => ({ extra: { idempotencyKey: key } }),
  },
];

type MassGetAccepts = Shapes['massGetAccepts'];

/** Returns the value for the forms that a service takes. A payload comes before a flat request. */
export function massGetValue(taken: readonly Form[]): MassGetAccepts | undefined {
  const isFlat = taken.every((form) => form.isFlat);
  const names = taken.filter((form) => form.isFlat === isFlat).map((form) => form.names);
  if (names.length === 0) return undefined;
  if (names.length === 2) return isFlat ? 'flat' : 'reference';
  const only = `${names[0] === 'id' ? 'id' : 'key'}-only` as const;
  return isFlat ? `flat-${only}` : only;
}

const isOf = ({ names, isFlat }: Form, value: MassGetAccepts): boolean =>
  value.startsWith('flat') === isFlat &&
  (!value.endsWith('-only') || value.endsWith(`${names}-only`));

/** Returns the first form of MASS_GET that finds a payout. Those of the run's shape come first. */
export const findForm = (run: CheckRun, payout: CreatedPayout): Promise<Form> =>
  run.once('form of MASS_GET', async () => {
    const { massGetAccepts } = run.shapes;
    const likely = FORMS.filter((form) => isOf(form, massGetAccepts));
    const forms = [...likely, ...FORMS.filter((form) => !likely.includes(form))];
    let last: ServiceAnswer | undefined;
    for (const form of forms) {
      last = await run.service.send('MASS_GET', form.body(payout));
      if (isAccepted(last)) return form;
    }
    const words = forms.map((form) => form.words).join(', ');
    const came = `no answer to ${words}${last === undefined ? '' : `, but ${showAnswer(last)}`}`;
    throw new Unprepared(READING, new Unmet('that a mass payout is found', came));
  });

export async function readPayout(run: CheckRun, payout: CreatedPayout): Promise<ServiceAnswer> {
  const form = await findForm(run, payout);
  return demandFor(await run.service.send('MASS_GET', form.body(payout)), READING);
}

const POLL_MS_MIN = 20;
const POLL_S = 1;

/** Takes snapshots of a mass payout until it is in one of the states, or patience ends. */
export async function follow(
  run: CheckRun,
  payout: CreatedPayout,
  states: readonly string[] = ENDS,
): Promise<readonly PayoutSnapshot[]> {
  const snapshots: PayoutSnapshot[] = [];
  const pollMs = Math.max(POLL_MS_MIN, realMs(run, POLL_S));
  const isIn = async (): Promise<boolean> => {
    const answer = await readPayout(run, payout);
    const record = recordOf(answer, 'id');
    const state = String(fieldOf(record, 'state'));
    snapshots.push({ record, state, atMs: timeOf(answer, Date.now()) });
    return states.includes(state);
  };
  await waitFor(run, isIn, { lookMs: pollMs });
  return snapshots;
}

/** The difference of two clocks that agree, in milliseconds: a `Date` has whole seconds. */
const AGREED_MS = 1_500;

/** Returns the latest time in the service at which it gave an answer, in milliseconds since 1970. */
function timeOf({ dateMs }: ServiceAnswer, receivedMs: number): number {
  const isOurs = dateMs === undefined || Math.abs(dateMs + 500 - receivedMs) <= AGREED_MS;
  return isOurs ? receivedMs : dateMs + 1_000;
}

/** A payout with its snapshots until the end. */
export type PayoutHistory = Readonly<{
  payout: CreatedPayout;
  snapshots: readonly PayoutSnapshot[];
  last: unknown;
}>;

async function tell(run: CheckRun, payload: Json): Promise<PayoutHistory> {
  await payoutEvents(run);
  return historyOf(run, await createPayout(run, payload));
}

async function historyOf(run: CheckRun, payout: CreatedPayout): Promise<PayoutHistory> {
  const snapshots = run.service.has('MASS_GET') ? await follow(run, payout) : [];
  return { payout, snapshots, last: snapshots.at(-1)?.record };
}

/** Throws TooSlow when a payout may still end. */
function ended(run: CheckRun, history: PayoutHistory): PayoutHistory {
  demandStates(run, history.snapshots, ENDS);
  return history;
}

function demandStates(
  run: CheckRun,
  snapshots: readonly PayoutSnapshot[],
  states: readonly string[],
): void {
  const state = snapshots.at(-1)?.state;
  if (state !== undefined && !states.includes(state)) demandWait(run, `it was still ${state}`);
}

const payloadAfter = (run: CheckRun, ms: number): Json => ({
  ...payoutPayload(run),
  executionDate: new Date(Date.now() + ms).toISOString(),
});

/** The first payout of the run, just created. */
export const createdPayout = (run: CheckRun): Promise<CreatedPayout> =>
  run.once('a created payout', async () => {
    await payoutEvents(run);
    return createPayout(run, payloadAfter(run, leadMs(run)));
  });

/** A payout that is paid, not before its execution date. */
export const paidPayout = (run: CheckRun): Promise<PayoutHistory> =>
  run.once('a paid payout', async () => {
    let history = await historyOf(run, await createdPayout(run));
    // A busy machine may read it after its date only. The next date leaves more time.
    for (const factor of LATER_LEADS) {
      if (isReadBeforeItsDate(history)) return history;
      history = await tell(run, payloadAfter(run, leadMs(run) * factor));
    }
    return history;
  });

const LATER_LEADS = [4, 16] as const;

/** When a payout may be sent, in milliseconds since 1970. */
export const dueMsOf = ({ payout }: PayoutHistory): number =>
  Date.parse(String(payout.payload['executionDate']));

export function isReadBeforeItsDate(history: PayoutHistory): boolean {
  const dueMs = dueMsOf(history);
  return history.snapshots.some(({ atMs }) => atMs < dueMs);
}

/** The number of withdrawals of a payout with several. */
export const ROWS = 3;

/** A payout of several withdrawals, created after the paid one. */
export const payoutOfRows = (run: CheckRun): Promise<PayoutHistory> =>
  run.once('a payout of several rows', async () => {
    await paidPayout(run);
    const { address } = required(run.payment);
    return tell(run, payoutPayload(run, Array<string>(ROWS).fill(address)));
  });

/** A payout with one failed and one paid withdrawal. */
export const partialPayout = (run: CheckRun): Promise<PayoutHistory> =>
  run.once('a partial payout', async () => {
    const { address, failingAddress } = required(run.payment);
    const payload = payoutPayload(run, [address, required(failingAddress)]);
    return ended(run, await tell(run, payload));
  });

/** A payout whose withdrawals all fail. */
export const failedPayout = (run: CheckRun): Promise<PayoutHistory> =>
  run.once('a failed payout', async () => {
    const payload = payoutPayload(run, [required(required(run.payment).failingAddress)]);
    return ended(run, await tell(run, payload));
  });

/** A payout that fails the validation before the network. */
export const invalidPayout = (run: CheckRun): Promise<PayoutHistory> =>
  run.once('an invalid payout', () =>
    tell(run, payoutPayload(run, [required(required(run.payment).invalidAddress)])),
  );

/** A payout that a person confirms, or declines. */
export const decidedPayout = (run: CheckRun, act: 'confirm' | 'decline'): Promise<PayoutHistory> =>
  run.once(`a payout to ${act}`, async () => {
    const person = required(run.person);
    await payoutEvents(run);
    await person.demandConfirmations(1);
    try {
      const payout = await createPayout(run, payoutPayload(run));
      const pending = ['PENDING_CONFIRMATION', ...ENDS];
      const before = await follow(run, payout, pending);
      demandStates(run, before, pending);
      await person[act](payout.id);
      const snapshots = [...before, ...(await follow(run, payout))];
      return { payout, snapshots, last: snapshots.at(-1)?.record };
    } finally {
      await person.demandConfirmations(null);
    }
  });

/** The partial payout after a person resent its failed withdrawal. */
export const resentPayout = (run: CheckRun): Promise<PayoutHistory> =>
  run.once('a resent payout', async () => {
    const { payout } = await partialPayout(run);
    await required(run.person).resend(payout.id);
    const snapshots = await follow(run, payout, ['COMPLETED']);
    return { payout, snapshots, last: snapshots.at(-1)?.record };
  });

/**
 * The inbox for webhooks of payouts. Null when the service cannot reach a receiver, or has no
 * subscriptions.
 */
const payoutEvents = (run: CheckRun): Promise<Inbox | null> =>
  run.once('webhooks of payouts', async () => {
    const { receiver, mayMake, service } = run;
    if (receiver === null || !mayMake || !service.has('WEBHOOK_CREATE')) return null;
    const inbox = openInbox(run);
    const notificationEventTypes = EVENT_TYPES_OF_GROUP.PAYOUT;
    await subscribe(run, { url: inbox.url, notificationEventTypes });
    return inbox;
  });

/** Waits for a webhook of a payout with these texts. Returns whether it came. */
export async function hasWebhook(
  run: CheckRun,
  { id, key }: CreatedPayout,
  texts: readonly string[],
): Promise<boolean> {
  const inbox = await payoutEvents(run);
  const isOne = (webhook: ReceivedWebhook): boolean =>
    containsTexts(webhook, texts) &&
    (containsTexts(webhook, [id]) || containsTexts(webhook, [key]));
  if (inbox === null) return false;
  return waitFor(run, () => inbox.webhooks().some(isOne));
}
