import { sha256Hex } from '../sending/identity.ts';
import { clearData } from './clear-data.ts';
import { type News, type NotifyData, NOTIFY_EVENTS } from './events.ts';

/** A notification as it is stored and sent: the same bytes at every try. */
export type Notification = Readonly<{
  id: string;
  event: string;
  batchId: string | null;
  /** JSON: `type`, `timestamp` and `data`. */
  body: string;
}>;

/** The sender: the account, and the web pages of its batches. */
export type Teller = Readonly<{
  account: string;
  /** Address of the page of a batch. */
  pageOf(batchId: string): string;
}>;

/** Makes a notification from an event. `at`: when it happened, ISO 8601 in UTC. */
export function notificationOf(news: News, teller: Teller, at: string): Notification {
  const { event, batchId } = news;
  const data = {
    ...clearData(news.data),
    ...(batchId === null ? {} : { batchId, url: teller.pageOf(batchId) }),
    tells: NOTIFY_EVENTS[event].tells,
  };
  const payload = {
    type: event,
    timestamp: at,
    data: { ...data, commands: commandsFor(event, data) },
  };
  return { id: idOf(news, teller.account), event, batchId, body: JSON.stringify(payload) };
}

/**
 * The id by which a receiver finds a repeated notification. A batch of the same name of another account has another id.
 */
function idOf({ event, batchId, key }: News, account: string): string {
  const parts = ['notification/v1', account, event, batchId ?? '', key];
  return `msg_${sha256Hex(JSON.stringify(parts)).slice(0, 32)}`;
}

/** The commands of an event with their values; one that has no value for a place is left out. */
function commandsFor(event: News['event'], data: NotifyData): string[] {
  return NOTIFY_EVENTS[event].commands.flatMap((command) => {
    const filled = command.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = data[name];
      return typeof value === 'string' ? value : place;
    });
    return filled.includes('{') ? [] : [filled];
  });
}
