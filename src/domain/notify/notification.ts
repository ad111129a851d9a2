import { sha256Hex } from '../sending/identity.ts';
import {
  type NotifiableEvent,
  type NotifyData,
  NOTIFY_EVENTS,
  type NotifyValue,
} from './events.ts';

/** A notification as it is stored and sent: the same bytes at every try. */
export type Notification = Readonly<{
  id: string;
  event: string;
  batchId: string | null;
  /** JSON: `type`, `timestamp` and `data`. */
  body: string;
}>;

/** The sender: the account, and the web pages of its batches. */
export type NotificationSender = Readonly<{
  account: string;
  /** Address of the page of a batch in Temporal's web UI. */
  pageOf(batchId: string): string;
  /** Address of the web app, without a slash at its end. */
  webUrl?: string | undefined;
}>;

/** Makes a notification from an event. `at`: when it happened, ISO 8601 in UTC. */
export function notificationOf(
  news: NotifiableEvent,
  sender: NotificationSender,
  at: string,
): Notification {
  const { event, batchId } = news;
  const data = {
    ...clearData(news.data),
    ...(batchId === null ? {} : { batchId, url: sender.pageOf(batchId) }),
    ...pageIn(news, sender),
    tells: NOTIFY_EVENTS[event].tells,
  };
  const payload = {
    type: event,
    timestamp: at,
    data: { ...data, commands: commandsFor(event, data) },
  };
  return { id: idOf(news, sender.account), event, batchId, body: JSON.stringify(payload) };
}

/** The page of the web app. Its pages stand behind `#`, as `src/web/route.ts` reads them. */
function pageIn({ batchId, event }: NotifiableEvent, { webUrl }: NotificationSender): NotifyData {
  if (webUrl === undefined) return {};
  if (batchId !== null) return { page: `${webUrl}/#/batches/${encodeURIComponent(batchId)}` };
  return event.startsWith('schedule.') ? { page: `${webUrl}/#/schedules` } : {};
}

/**
 * The id by which a receiver finds a repeated notification. A batch of the same name of another account has another id.
 */
function idOf({ event, batchId, key }: NotifiableEvent, account: string): string {
  const parts = ['notification/v1', account, event, batchId ?? '', key];
  return `msg_${sha256Hex(JSON.stringify(parts)).slice(0, 32)}`;
}

/** The commands of an event with their values; one that has no value for a place is left out. */
function commandsFor(event: NotifiableEvent['event'], data: NotifyData): string[] {
  return NOTIFY_EVENTS[event].commands.flatMap((command) => {
    const filled = command.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = data[name];
      return typeof value === 'string' ? value : place;
    });
    return filled.includes('{') ? [] : [filled];
  });
}

/** Characters of one text, and texts of one list: a payload stays far below the 20 kB that receivers like. */
const TEXT_LENGTH_MAX = 500;
const LIST_LENGTH_MAX = 20;

/** Addresses of EVM and in bech32. */
const PLAIN_ADDRESS = /\b(?:0x[0-9a-fA-F]{40}|(?:bc|tb|ltc)1[0-9a-z]{20,90})\b/g;
/** Addresses of people. */
const EMAIL_ADDRESS = /[^\s@<>()"',;]{1,64}@[^\s@<>()"',;]{1,255}/g;
/** Signing secrets of webhooks, and tokens of `bursar serve`. */
const SECRET = /\b(?:whsec|bursar)_[A-Za-z0-9+/=_-]{16,}/g;
/** Words in which digits and letters of both cases are mixed are addresses in base58, or those of TON. */
const LONG_WORD = /\b(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9]{26,})\b/g;

/**
 * Data that may leave the house. The code puts no addresses into it. Sentences that people typed may hold one, and
 * notifications go to places where the file itself would never go.
 */
const clearData = (data: NotifyData): NotifyData =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, clearValue(value)]));

function clearValue(value: NotifyValue): NotifyValue {
  if (typeof value === 'string') return clearText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return value.slice(0, LIST_LENGTH_MAX).map(clearText);
}

const clearText = (text: string): string => {
  const hidden = text
    .replace(EMAIL_ADDRESS, '...')
    .replace(SECRET, '...')
    .replace(PLAIN_ADDRESS, '...')
    .replace(LONG_WORD, hideIfMixed);
  const plain = hidden.replace(/\p{C}/gu, ' ');
  return plain.length <= TEXT_LENGTH_MAX ? plain : `${plain.slice(0, TEXT_LENGTH_MAX)}...`;
};

const hideIfMixed = (word: string): string =>
  /[A-Z]/.test(word) && /[a-z]/.test(word) && /\d/.test(word) ? '...' : word;
