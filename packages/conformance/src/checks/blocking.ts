import { WEBHOOK_BLOCK_FAILURES } from '@bursar/merchant-api/spec';
import { type ConformanceCheck, met, notSeen } from '../check.ts';
import { demand, demandEqual, fieldOf, TooSlow } from '../expect.ts';
import { comes, demandWait, waitFor } from '../waiting.ts';
import { required, realMs, type CheckRun } from '../run.ts';
import {
  announceAll,
  failingWhile,
  FIRST_RETRY_S,
  schedule,
  SOME_TYPE,
  WHOLE_SCHEDULE_S,
} from '../scenarios/deliveries.ts';
import { attemptsOf, findChannel, openInbox, subscribe } from '../scenarios/subscriptions.ts';
import type { Inbox } from '../receiver.ts';
import { setTimeout as pause } from 'node:timers/promises';

const ABOUT = {
  section: 'States and transitions',
  needs: ['WEBHOOK_CREATE', 'WEBHOOK_LIST', 'WEBHOOK_DELETE', 'objects', 'receiver', 'person'],
} as const;

const LOOK_MS = 50;

/** Reads a subscription until it has the expected record, or patience ends. */
async function channelWhen(
  run: CheckRun,
  requestId: string,
  isWanted: (channel: unknown) => boolean,
): Promise<unknown> {
  let channel: unknown;
  const isSo = async (): Promise<boolean> => {
    channel = await findChannel(run, requestId);
    return isWanted(channel);
  };
  await waitFor(run, isSo, { lookMs: LOOK_MS });
  return channel;
}

const isBlocked = (channel: unknown): boolean => fieldOf(channel, 'blockedByErrorCount') === true;

type Blocked = Readonly<{
  requestId: string;
  inbox: Inbox;
  channel: unknown;
  /** Failures that had arrived when the subscription was first read as blocked. */
  failures: number;
  /** The number of webhooks for an event after the blocking, and for the events before it. */
  later: number;
  state: { isFailing: boolean };
}>;

/** A subscription whose receiver failed until it was blocked. */
const blocked = (run: CheckRun): Promise<Blocked> =>
  run.once('a blocked subscription', async () => {
    const state = { isFailing: true };
    const inbox = openInbox(run, failingWhile(state));
    const asked = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
    const { requestId } = await subscribe(run, asked);
    let failures: number | undefined;
    // A busy machine may read late, when retries have failed too: so it is read after the first failure as well.
    for (const events of [1, WEBHOOK_BLOCK_FAILURES - 1]) {
      await announceAll(run, events);
      const isEarly = isBlocked(await findChannel(run, requestId));
      if (isEarly) failures ??= inbox.webhooks().length;
    }
    await announceAll(run, 1);
    const channel = await channelWhen(run, requestId, isBlocked);
    failures ??= inbox.webhooks().length;
    const before = await settledCount(run, inbox);
    await announceAll(run, 1);
    await pause(realMs(run, 2 * FIRST_RETRY_S));
    const later = inbox.webhooks().length - before;
    return { requestId, inbox, channel, failures, later, state };
  });

/** After this time without a webhook, no attempt is under way, in milliseconds. */
const MOMENT_MS = 500;

/** Waits until no more webhooks arrive, or patience ends. Returns how many arrived. */
async function settledCount(run: CheckRun, inbox: Inbox): Promise<number> {
  let before = -1;
  const isSettled = (): boolean => {
    const isSame = inbox.webhooks().length === before;
    before = inbox.webhooks().length;
    return isSame;
  };
  await waitFor(run, isSettled, { lookMs: MOMENT_MS });
  return before;
}

/** The largest number of webhooks that arrived within safely less than 10 minutes. */
function failuresInWindow(run: CheckRun, inbox: Inbox): number {
  const times = inbox.webhooks().map(({ atMs }) => atMs);
  const windowMs = 0.8 * realMs(run, BLOCK_WINDOW_S);
  const counts = times.map((from) => times.filter((at) => at >= from && at <= from + windowMs));
  return Math.max(0, ...counts.map(({ length }) => length));
}

const BLOCK_WINDOW_S = 600;

/** Webhooks that fail before, and after, a delivered one. */
const HALF = 60;

/** Dates may be rounded to seconds. */
const ROUNDED_MS = 1_000;

/** The possible difference between the clocks of the two computers, in milliseconds. */
const CLOCKS_MS = 60_000;

/** A subscription with a few failed deliveries, after which the receiver works again. */
const shaken = (run: CheckRun) =>
  run.once('a shaken subscription', async () => {
    const state = { isFailing: true };
    const inbox = openInbox(run, failingWhile(state));
    const asked = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
    const { requestId } = await subscribe(run, asked);
    await announceAll(run, 3);
    const shows = (channel: unknown): boolean =>
      Number(fieldOf(channel, 'errorCount')) >= 3 &&
      fieldOf(channel, 'errorCount') === inbox.webhooks().length;
    const failing = await channelWhen(run, requestId, shows);
    const failures = inbox.webhooks().length;
    if (!shows(failing)) demandWait(run, 'the failures were not counted');
    state.isFailing = false;
    await announceAll(run, 1);
    const isWell = (channel: unknown): boolean => fieldOf(channel, 'errorCount') === 0;
    const well = await channelWhen(run, requestId, isWell);
    return { failing, failures, well };
  });

const timeOf = (channel: unknown, name: string): number =>
  Date.parse(String(fieldOf(channel, name)));

const countChecks: readonly ConformanceCheck[] = [
  {
    ...ABOUT,
    id: 'webhooks.errors.count',
    section: 'Webhook subscription',
    sentence: 'errorCount is the number of failed deliveries in a row.',
    try: async (run) => {
      const { failing, failures } = await shaken(run);
      demandEqual('errorCount', fieldOf(failing, 'errorCount'), failures);
      return met(`${failures} failed`);
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.errors.in-a-row',
    section: 'Webhook subscription',
    sentence: 'errorCount is 0 after a delivery that succeeded.',
    try: async (run) => {
      const { well } = await shaken(run);
      if (fieldOf(well, 'errorCount') !== 0) demandWait(run, 'errorCount was not 0');
      demandEqual('errorCount', fieldOf(well, 'errorCount'), 0);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.errors.dates',
    section: 'Webhook subscription',
    sentence: 'errorFirstDate and errorLastDate are the times of the first and last failure.',
    try: async (run) => {
      const { failing } = await shaken(run);
      const createdMs = timeOf(failing, 'createdDate');
      const [firstMs, lastMs] = ['errorFirstDate', 'errorLastDate'].map((name) =>
        timeOf(failing, name),
      ) as [number, number];
      demand(firstMs >= createdMs - ROUNDED_MS, 'errorFirstDate after createdDate', failing);
      demand(lastMs >= firstMs, 'errorLastDate not before errorFirstDate', failing);
      demand(lastMs <= Date.now() + CLOCKS_MS, 'errorLastDate in this run', failing);
      return met();
    },
  },
];

export const blockingChecks: readonly ConformanceCheck[] = [
  ...countChecks,
  {
    ...ABOUT,
    id: 'webhooks.blocking.threshold',
    sentence: 'More than 100 failed deliveries within 10 minutes and no success: it is blocked.',
    try: async (run) => {
      const { channel, inbox } = await blocked(run);
      if (!isBlocked(channel)) {
        const failures = failuresInWindow(run, inbox);
        demandWait(run, 'it was not blocked');
        if (failures <= WEBHOOK_BLOCK_FAILURES) {
          throw new TooSlow(`only ${failures} deliveries failed within 10 minutes`);
        }
      }
      demandEqual('blockedByErrorCount', fieldOf(channel, 'blockedByErrorCount'), true);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.blocking.not-before',
    section: 'Limits',
    sentence: 'Webhook blocking threshold: 100 errors do not block.',
    try: async (run) => {
      const { channel, failures } = await blocked(run);
      if (!isBlocked(channel)) return notSeen('it was not blocked');
      demand(failures > WEBHOOK_BLOCK_FAILURES, 'more than 100 errors', `${failures} errors`);
      return met(`${failures} errors`);
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.blocking.quiet',
    section: 'Webhook subscription',
    sentence:
      'blockedByErrorCount is true when it is automatically disabled: nothing more is sent.',
    takesS: 2 * FIRST_RETRY_S,
    try: async (run) => {
      const { channel, later } = await blocked(run);
      if (!isBlocked(channel)) return notSeen('it was not blocked');
      demandEqual('webhooks while it is blocked', later, 0);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.blocking.success',
    sentence: 'A successful delivery in that time keeps a subscription from being blocked.',
    try: async (run) => {
      const inbox = openInbox(run, (n) => (n === HALF + 1 || n > 2 * HALF + 1 ? 200 : 500));
      const asked = { url: inbox.url, notificationEventTypes: [SOME_TYPE] };
      const { requestId } = await subscribe(run, asked);
      await announceAll(run, 2 * HALF + 1);
      await waitFor(run, () => inbox.webhooks().length > 3 * HALF);
      if (inbox.webhooks().length <= 2 * HALF) throw new TooSlow('too few webhooks came');
      const channel = await findChannel(run, requestId);
      demandEqual('blockedByErrorCount', fieldOf(channel, 'blockedByErrorCount'), false);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.blocking.window',
    section: 'Limits',
    sentence: 'Errors count for blocking within 10 minutes: slow ones do not block.',
    takesS: WHOLE_SCHEDULE_S,
    try: async (run) => {
      const { requestId, attempts } = await schedule(run);
      const failures = attempts.flat().length;
      if (failures <= WEBHOOK_BLOCK_FAILURES) return notSeen(`only ${failures} deliveries failed`);
      const channel = await findChannel(run, requestId);
      demandEqual('blockedByErrorCount', fieldOf(channel, 'blockedByErrorCount'), false);
      return met(`${failures} errors in all`);
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.blocking.unblock',
    sentence: 'Unblocking is done in the user interface, and ends the blocking.',
    try: async (run) => {
      const channel = await unblocked(run);
      if (isBlocked(channel)) demandWait(run, 'it was still blocked');
      demandEqual('blockedByErrorCount', fieldOf(channel, 'blockedByErrorCount'), false);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'webhooks.blocking.resend',
    sentence: 'Unblocking triggers resending of all webhooks that failed in that period.',
    try: async (run) => {
      const { inbox, failures } = await blocked(run);
      const failed = attemptsOf(inbox.webhooks().slice(0, failures)).length;
      await unblocked(run);
      const isAll = (): boolean =>
        attemptsOf(inbox.webhooks()).length > WEBHOOK_BLOCK_FAILURES &&
        attemptsOf(inbox.webhooks().slice(failures)).length >= failed;
      await comes(run, 'not all webhooks came again', isAll);
      const resent = attemptsOf(inbox.webhooks().slice(failures)).length;
      demand(resent >= failed, `${failed} webhooks again`, `${resent} webhooks`);
      return met(`${resent} webhooks`);
    },
  },
];

/**
 * The record of the blocked subscription after a person unblocked it and its receiver works again.
 */
const unblocked = (run: CheckRun): Promise<unknown> =>
  run.once('an unblocked subscription', async () => {
    const { requestId, state } = await blocked(run);
    state.isFailing = false;
    await required(run.person).unblock(requestId);
    return channelWhen(run, requestId, (channel) => !isBlocked(channel));
  });
