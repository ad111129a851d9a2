import { ADMIN_DELIVERY_STATUSES, type AdminDelivery } from '@bursar/sandbox/admin';
import type { Context } from '../../context.ts';
import { flag, optionalFlag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import { recordText } from '../../print/record-text.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { TAIL_DEFAULT } from '../../sandbox/pages.ts';
import { FOLLOW_PAUSE_MS, pause } from '../../sandbox/pause.ts';
import { followFlag, fromOneUp, oneOf, tailFields, text } from './fields.ts';
import { refuseEndlessJson, sandboxOperation, sandboxRecord } from './operations.ts';

const DELIVERY_VIEW: ListView<AdminDelivery> = {
  schema: 'bursar.sandbox-deliveries/v1',
  array: 'deliveries',
  lineSchema: 'bursar.sandbox-delivery/v1',
  columns: [
    { title: 'ID', width: 6, right: true, cell: (of) => of.id },
    { title: 'STATUS', width: 9, cell: (of) => of.status },
    { title: 'EVENT', width: 36, cell: (of) => of.type },
    { title: 'SUBSCRIPTION', width: 36, cell: (of) => of.subscription },
    { title: 'ATTEMPTS', width: 8, right: true, cell: (of) => of.attempts.length },
    { title: 'LAST ANSWER', width: 20, cell: (of) => answerText(of) },
    { title: 'CREATED', width: 0, cell: (of) => ({ moment: of.createdDate }) },
  ],
};

function answerText({ attempts, fault }: AdminDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return fault === null ? '-' : `fault ${fault}`;
  return last.status === null ? (last.reason ?? 'no answer') : String(last.status);
}

/** The webhooks themselves. */
export const DELIVERY_OPERATIONS = [
  sandboxOperation({
    name: 'deliveries list',
    isDefault: true,
    summary: 'list the webhooks that were sent or are to be, the latest last (the default)',
    fields: {
      ...tailFields,
      subscription: optionalFlag('--subscription <id>', 'only those of this subscription', text),
      status: optionalFlag(
        '--status <status>',
        'only WAITING, HELD, DELIVERED, GIVEN_UP or DROPPED',
        oneOf(ADMIN_DELIVERY_STATUSES),
      ),
      follow: followFlag('go on with those that come or change, until Ctrl-C'),
    },
    async run({ tail: count = TAIL_DEFAULT, follow, ...query }, sandbox, context) {
      const readLatest = (most: number) => latestDeliveries(sandbox, query, most);
      if (!follow) return list(DELIVERY_VIEW, await readLatest(count));
      refuseEndlessJson(context);
      return list(DELIVERY_VIEW, changes(readLatest, count, context));
    },
  }),
  sandboxRecord({
    name: 'deliveries resend',
    summary: 'send one webhook again, in any state',
    fields: { id: flag('<id>', 'number of the webhook, as the list tells it', fromOneUp) },
    schema: 'bursar.sandbox-delivery/v1',
    endpoint: 'POST /deliveries/resend',
    text({ id, status, attempts, ...rest }, context) {
      const record = { ...rest, attempts: attempts.length };
      return recordText(`Webhook ${id}: ${status}`, record, context);
    },
  }),
];

/** Webhooks on one page; the newest so many are followed. */
const PAGE_SIZE = 1_000;

/** The latest webhooks, at most `count`, oldest first. */
async function latestDeliveries(
  sandbox: SandboxClient,
  query: object,
  count: number,
): Promise<AdminDelivery[]> {
  const found: AdminDelivery[] = [];
  for (let after: number | null | undefined; after !== null && found.length < count; ) {
    const limit = Math.min(PAGE_SIZE, count - found.length);
    const asked = { ...query, order: 'newest', after, limit };
    const page = await sandbox.call('GET /deliveries', asked);
    found.push(...page.deliveries);
    after = page.next;
  }
  return found.reverse();
}

/** The latest webhooks, and then each of the newest thousand again whenever it changes. */
async function* changes(
  readLatest: (most: number) => Promise<AdminDelivery[]>,
  count: number,
  context: Context,
): AsyncGenerator<AdminDelivery> {
  let found = await readLatest(count);
  yield* found;
  // Webhooks older than the first shown one have not changed; they were only not requested.
  const firstId = found[0]?.id ?? 0;
  for (;;) {
    await pause(FOLLOW_PAUSE_MS, context);
    const known = new Map(found.map((each) => [each.id, stampOf(each)]));
    found = await readLatest(PAGE_SIZE);
    yield* found.filter((each) => each.id >= firstId && known.get(each.id) !== stampOf(each));
  }
}

const stampOf = ({ status, attempts }: AdminDelivery): string => `${status} ${attempts.length}`;
