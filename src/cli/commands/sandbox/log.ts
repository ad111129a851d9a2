import { OPERATIONS } from '@bursar/merchant-api/spec';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readChoices, readCount } from '../../../operations/input/lists.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { printList } from '../../print/output.ts';
import type { Sandbox } from '../../sandbox/client.ts';
import { follow, type Listing, lookPause, walk } from '../../sandbox/pages.ts';
import { type LogEntry, LogPage } from '../../sandbox/play-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import {
  openSandbox,
  printAll,
  readTail,
  refuseEndlessJson,
  tailOf,
  type TailFlags,
} from './open.ts';

export type LogFlags = TailFlags &
  Readonly<{
    operation?: string;
    status?: string;
    key?: string;
    since?: string;
    follow?: boolean;
  }>;

/** `bursar sandbox log`: the latest requests to the operations, and with `--follow` those that come. */
export async function log(flags: LogFlags, context: Context): Promise<number> {
  const listing = readListing(flags);
  const tail = readTail(flags);
  const sandbox = await openSandbox(flags, context);
  if (flags.follow) return followLog(sandbox, { listing, tail }, context);
  await printAll(context, tailOf(walk(sandbox, listing), tail), output(context));
  return EXIT.done;
}

/** Never ends by itself. */
async function followLog(
  sandbox: Sandbox,
  { listing, tail }: Readonly<{ listing: Listing<LogEntry>; tail: number }>,
  context: Context,
): Promise<number> {
  refuseEndlessJson(context);
  await printList(context, oldAndNew(sandbox, { listing, tail }, context), {
    about: {},
    ...output(context),
  });
  return EXIT.done;
}

async function* oldAndNew(
  sandbox: Sandbox,
  { listing, tail }: Readonly<{ listing: Listing<LogEntry>; tail: number }>,
  context: Context,
): AsyncGenerator<LogEntry> {
  let after = 0;
  for await (const entry of tailOf(walk(sandbox, listing), tail)) {
    after = entry.n;
    yield entry;
  }
  yield* follow(sandbox, listing, { after, pause: lookPause(context) });
}

function readListing({ operation, status, key, since }: LogFlags): Listing<LogEntry> {
  const query = {
    operation: operation === undefined ? undefined : readOperation(operation),
    status: status === undefined ? undefined : readCount('--status', status),
    idempotencyKey: key,
    since,
  };
  return { path: '/requests', query, page: LogPage };
}

function readOperation(text: string): string {
  const [operation, ...more] = readChoices('--operation', text, OPERATIONS);
  if (operation !== undefined && more.length === 0) return operation;
  throw flagInvalid('--operation', 'give one operation');
}

function output({ clock }: Pick<Context, 'clock'>) {
  const table = createTable([
    { title: 'N', width: 6, right: true },
    { title: 'OPERATION', width: 16 },
    { title: 'STATUS', width: 6, right: true },
    { title: 'ERROR', width: 24 },
    { title: 'OBJECT', width: 36 },
    { title: 'KEY', width: 36 },
    { title: 'FAULT', width: 16 },
    { title: 'TIME', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-log/v1',
    name: 'requests',
    lineSchema: 'bursar.sandbox-request/v1',
    header: table.header(),
    textOf: (entry: LogEntry) =>
      table.row([
        String(entry.n),
        printable(entry.operation),
        entry.status === null ? '-' : String(entry.status),
        printable(entry.errorCode ?? '-'),
        printable(entry.objectId ?? '-'),
        printable(entry.idempotencyKey ?? '-'),
        printable(entry.fault ?? '-'),
        instantText(entry.time, clock),
      ]),
  };
}
