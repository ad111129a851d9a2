import { EVENT_TYPES_OF_GROUP } from '@bursar/merchant-api/spec';
import { fieldOf, recordOf } from '../expect.ts';
import type { Inbox, ReceivedWebhook } from '../receiver.ts';
import type { Json } from '../request-fields.ts';
import { required, realMs, type CheckRun } from '../run.ts';
import type { ServiceAnswer } from '../service.ts';
import { demandWait, waitFor } from '../waiting.ts';
import { createPayout, type CreatedPayout, payoutPayload } from './creates.ts';
import { readPayout } from './mass-get.ts';
import { containsTexts, openInbox, subscribe } from './subscriptions.ts';

/** States that change only when a person acts. */
export const ENDS: readonly string[] = ['COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'];

/** A record at one moment. */
export type PayoutSnapshot = Readonly<{ record: unknown; state: string; atMs: number }>;

/**
 * How far in the future the execution date of a payout is, in milliseconds. A fast sandbox does not
 * move dates.
 */
const leadMs = ({ speed }: CheckRun): number => (speed > 1 ? 700 : 15_000);

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
