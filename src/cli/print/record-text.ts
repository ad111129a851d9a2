import type { OpenValue, UnreadableParts } from '@bursar/merchant-api';
import { moneyText } from '../../domain/text/money-text.ts';
import type { Context } from '../context.ts';
import type { ShownZone } from '../../operations/context.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { instantText } from '../../operations/text/instants.ts';

type Zone = Readonly<{ clock: ShownZone }>;

/** A record of the service for people: a title, and its plain fields under the names that the service gives them. */
export const recordText = (title: string, record: object, context: Context) =>
  [context.colours.bold(printable(title)), ...recordLines(record, context)].join('\n');

/** The same for a record of which parts may be unreadable. */
export function readRecordText(
  title: string,
  { unreadableParts, ...record }: Readonly<{ unreadableParts: UnreadableParts }>,
  context: Context,
): string {
  const text = recordText(title, record, context);
  return unreadableParts.length === 0 ? text : `${text}\n${unreadableText(unreadableParts)}`;
}

/** The plain fields of a record, one on each line; records within it are left to the caller. */
export function recordLines(record: object, zone: Zone): string[] {
  const facts = Object.entries(record).flatMap(([name, value]) => {
    const text = fieldText(name, value, zone);
    return text === undefined ? [] : [[printable(name), text] as const];
  });
  return factLines(facts);
}

function fieldText(name: string, value: unknown, { clock }: Zone): string | undefined {
  if (typeof value === 'string')
    return name.endsWith('Date') ? dateText(value, clock) : printable(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? printable(value.join(', ')) : undefined;
}

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** A date of the service in the person's zone; one that is no instant, as the service wrote it. */
export const dateText = (date: string, clock: ShownZone): string =>
  WITH_ZONE.test(date) && !Number.isNaN(Date.parse(date))
    ? instantText(date, clock)
    : printable(date);

/** The parts of an answer that could not be read, one on each line. The paths and problems are the client's own words. */
export const unreadableText = (parts: UnreadableParts): string =>
  parts.map(({ path, problem }) => `Not read: ${`${path} ${problem}`.trim()}`).join('\n');

/** An answer of unknown form, as it came. */
export function openText(content: OpenValue): string {
  if (content === null) return 'The service answered without any content.';
  if (typeof content === 'string') return printable(content);
  return JSON.stringify(content, undefined, 2).split('\n').map(printable).join('\n');
}

/** The balances of a wallet. */
export const balancesText = (
  balances: readonly Readonly<{ amount: string; currency: string }>[],
): string => balances.map(({ amount, currency }) => moneyText(amount, currency)).join(', ');

/** The state of a webhook subscription, as the service and the sandbox write it in two fields. */
export function subscriptionState({
  enabled,
  blockedByErrorCount,
}: Readonly<{ enabled: boolean; blockedByErrorCount: boolean }>): string {
  if (blockedByErrorCount) return 'blocked';
  return enabled ? 'enabled' : 'disabled';
}
