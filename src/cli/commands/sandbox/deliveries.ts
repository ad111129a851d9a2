import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readChoices, readCount } from '../../../operations/input/lists.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { printList, printResult } from '../../print/output.ts';
import { recordText } from '../../print/record-text.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { changes, latestDeliveries } from '../../sandbox/deliveries.ts';
import { Delivery } from '../../sandbox/event-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { lookPause } from '../../sandbox/pages.ts';
import { openSandbox, printAll, readTail, refuseEndlessJson, type TailFlags } from './open.ts';

export type DeliveriesFlags = TailFlags &
  Readonly<{ subscription?: string; status?: string; follow?: boolean }>;

const STATUSES = ['WAITING', 'HELD', 'DELIVERED', 'GIVEN_UP', 'DROPPED'] as const;

/** `bursar sandbox deliveries`: the latest webhooks, and with `--follow` each time that one changes. */
export async function deliveries(flags: DeliveriesFlags, context: Context): Promise<number> {
  const status = flags.status === undefined ? undefined : readStatus(flags.status);
  const query = { subscription: flags.subscription, status };
  const count = readTail(flags);
  const sandbox = await openSandbox(flags, context);
  if (!flags.follow) {
    await printAll(context, await latestDeliveries(sandbox, query, count), output(context));
    return EXIT.done;
  }
  refuseEndlessJson(context);
  const pause = lookPause(context);
  const seen = changes(sandbox, query, { count, pause });
  await printList(context, seen, { about: {}, ...output(context) });
  return EXIT.done;
}

export type ResendDeliveryFlags = SandboxFlags & Readonly<{ id: string }>;

/** `bursar sandbox deliveries resend ID`: sends one webhook again, whatever became of it. */
export async function resendDelivery(
  { id, ...flags }: ResendDeliveryFlags,
  context: Context,
): Promise<number> {
  const body = { id: readCount('ID', id) };
  const sandbox = await openSandbox(flags, context);
  const path = '/deliveries/resend';
  const delivery = await sandbox.ask({ method: 'POST', path, body, answer: Delivery });
  const { id: _, status, attempts, ...rest } = delivery;
  const record = { ...rest, attempts: attempts.length };
  printResult(context, {
    json: { schema: 'bursar.sandbox-delivery/v1', ...delivery },
    text: recordText(`Webhook ${delivery.id}: ${status}`, record, context),
  });
  return EXIT.done;
}

function readStatus(text: string): string {
  const [status, ...more] = readChoices('--status', text, STATUSES);
  if (status !== undefined && more.length === 0) return status;
  throw flagInvalid('--status', 'give one status');
}

function output({ clock }: Pick<Context, 'clock'>) {
  const table = createTable([
    { title: 'ID', width: 6, right: true },
    { title: 'STATUS', width: 9 },
    { title: 'EVENT', width: 36 },
    { title: 'SUBSCRIPTION', width: 36 },
    { title: 'ATTEMPTS', width: 8, right: true },
    { title: 'LAST ANSWER', width: 20 },
    { title: 'CREATED', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-deliveries/v1',
    name: 'deliveries',
    lineSchema: 'bursar.sandbox-delivery/v1',
    header: table.header(),
    textOf: (of: Delivery) =>
      table.row([
        String(of.id),
        ...[of.status, of.type, of.subscription].map(printable),
        String(of.attempts.length),
        printable(answerText(of)),
        instantText(of.createdDate, clock),
      ]),
  };
}

function answerText({ attempts, fault }: Delivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return fault === null ? '-' : `fault ${fault}`;
  return last.status === null ? (last.reason ?? 'no answer') : String(last.status);
}
