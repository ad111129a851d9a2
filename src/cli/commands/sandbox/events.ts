import type { AdminEventType, AdminTriggeredEvent } from '@bursar/sandbox/admin';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readJsonText } from '../../../operations/input/json-text.ts';
import { flag, optionalFlag } from '../../command-table/flag.ts';
import type { OperationSection } from '../../command-table/operation-command.ts';
import { list, type ListView } from '../../command-table/printout.ts';
import { printable } from '../../terminal/printable.ts';
import { eventType, oneAccount, readPairs, text } from './fields.ts';
import { listen } from './listen.ts';
import { sandboxOperation } from './operations.ts';
import { DELIVERY_COMMANDS } from './deliveries.ts';
import { SUBSCRIPTION_COMMANDS } from './webhooks.ts';

const TYPE_VIEW: ListView<AdminEventType> = {
  schema: 'bursar.sandbox-event-types/v1',
  name: 'types',
  lineSchema: 'bursar.sandbox-event-type/v1',
  columns: [
    { title: 'EVENT', width: 46, cell: (of) => of.type },
    { title: 'GROUP', width: 0, cell: (of) => of.group },
  ],
};

const trigger = sandboxOperation({
  name: 'trigger',
  summary: 'announce an event as if it had happened',
  description: [
    'Announces an event as if it had happened; nothing else changes.',
    'Values of --override are text, unless they are JSON lists, objects or quoted texts, or',
    'true, false or null.',
  ].join('\n'),
  fields: {
    event: optionalFlag('[event]', 'type of the event; without it the types are listed', eventType),
    override: flag(
      { form: '--override <path=value>', isRepeated: true },
      'put a value into the data, by a dotted path',
      text.array().default([]),
    ),
    ...oneAccount,
  },
  async run({ event: type, override, account }, sandbox) {
    if (type === undefined) {
      if (override.length > 0 || account !== undefined) throw flagInvalid('EVENT', 'it is missing');
      const { types } = await sandbox.call('GET /events/types');
      return list(TYPE_VIEW, types);
    }
    const overrides = readOverrides(override);
    const record = await sandbox.call('POST /events', { type, account, overrides });
    return { schema: 'bursar.sandbox-event/v1', record, text: announcedText(record) };
  },
});

const readOverrides = (texts: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readPairs('--override', texts)).map(([path, value]) => [path, readValue(value)]),
  );

/** Text, unless it is a list, an object, a text in quotes, or one of the three words. So amounts stay text. */
function readValue(value: string): unknown {
  const isJson = /^(\[|\{|"|true$|false$|null$)/.test(value);
  return isJson ? readJsonText('--override', value) : value;
}

function announcedText({ type, subscriptions, data }: AdminTriggeredEvent): string {
  const who = `${subscriptions} ${subscriptions === 1 ? 'subscription gets' : 'subscriptions get'} it`;
  return `${type}: ${who}.\n${printable(JSON.stringify(data))}`;
}

/** Events and webhooks. */
export const EVENT_OPERATIONS: OperationSection = {
  heading: 'Events and webhooks:',
  subgroups: {
    webhooks: 'list webhook subscriptions, unblock, enable and disable them',
    deliveries: 'list the webhooks, and send one again',
  },
  operations: [trigger, listen, ...SUBSCRIPTION_COMMANDS, ...DELIVERY_COMMANDS],
};
