import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readJsonText } from '../../../operations/input/json-text.ts';
import { printResult } from '../../print/output.ts';
import { announce } from '../../sandbox/acts.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { type Announced, type EventType, EventTypes } from '../../sandbox/event-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { readEventType } from './event-type.ts';
import { openSandbox, printAll } from './open.ts';
import { readPairs } from './pairs.ts';

export type TriggerFlags = SandboxFlags &
  Readonly<{ event?: string; override?: readonly string[]; account?: string }>;

/** `bursar sandbox trigger [EVENT]`: announces an event as if it had happened, or lists the types. */
export async function trigger(flags: TriggerFlags, context: Context): Promise<number> {
  const { event, override = [], account } = flags;
  const sandbox = await openSandbox(flags, context);
  if (event === undefined) {
    if (override.length > 0 || account !== undefined) throw flagInvalid('EVENT', 'it is missing');
    const { types } = await sandbox.ask({ path: '/events/types', answer: EventTypes });
    await printAll(context, types, typeOutput());
    return EXIT.done;
  }
  const type = readEventType('EVENT', event);
  const announced = await announce(sandbox, { type, account, overrides: readOverrides(override) });
  printResult(context, {
    json: { schema: 'bursar.sandbox-event/v1', ...announced },
    text: announcedText(announced),
  });
  return EXIT.done;
}

const readOverrides = (texts: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readPairs('--override', texts)).map(([path, text]) => [path, readValue(text)]),
  );

/** Text, unless it is a list, an object, a text in quotes, or one of the three words. So amounts stay text. */
function readValue(text: string): unknown {
  const isJson = /^(\[|\{|"|true$|false$|null$)/.test(text);
  return isJson ? readJsonText('--override', text) : text;
}

function announcedText({ type, subscriptions, data }: Announced): string {
  const who = `${subscriptions} ${subscriptions === 1 ? 'subscription gets' : 'subscriptions get'} it`;
  return `${type}: ${who}.\n${printable(JSON.stringify(data))}`;
}

function typeOutput() {
  const table = createTable([
    { title: 'EVENT', width: 46 },
    { title: 'GROUP', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-event-types/v1',
    name: 'types',
    lineSchema: 'bursar.sandbox-event-type/v1',
    header: table.header(),
    textOf: ({ type, group }: EventType) => table.row([type, group].map(printable)),
  };
}
