import type { InboxItem } from '../../operations/batch/types.ts';
import type { Settings } from '../../config.ts';
import { isPlainName, plainName } from '../../domain/approval/people.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readInbox } from '../../operations/batch/inbox.ts';
import { withSources } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { instantText, withReadableInstants } from '../../operations/text/instants.ts';
import { printList } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { moneyList } from '../../domain/text/money-text.ts';

type InboxFlags = Readonly<{ for?: string }>;

/** `bursar inbox`: what waits for whom. With `--for NAME`, what NAME can do something about. */
export async function inbox(flags: InboxFlags, context: Context): Promise<number> {
  const name = flags.for;
  if (name !== undefined && !isPlainName(name)) {
    throw flagInvalid('--for', `"${name}" is not a name of approval.people`);
  }
  return withSources(context, async (sources) => {
    const all = await readInbox(sources, context.clock.nowMs());
    if (name !== undefined) refuseStranger(name, all, sources.settings);
    const items = name === undefined ? all : all.filter((item) => isFor(item, name));
    const count = await printList(context, items, output(context));
    if (count === 0 && context.format === 'text') context.say('Nothing waits.');
    return EXIT.done;
  });
}

/**
 * A person who mistypes a name must not read that nothing waits. Without approvers in the settings any name may be
 * right.
 */
function refuseStranger(name: string, items: readonly InboxItem[], { rules }: Settings): void {
  const people = (rules.approval?.people ?? []).map((person) => person.name);
  const known = [...new Set([...people, ...items.flatMap(({ waitsFor }) => waitsFor)])].sort();
  const isKnown = known.some((one) => plainName(one) === plainName(name));
  if (people.length === 0 || isKnown) return;
  throw flagInvalid('--for', `there is no person "${name}"; known are ${known.join(', ')}`);
}

/** An item without names waits for all people. */
const isFor = ({ waitsFor }: InboxItem, name: string): boolean =>
  waitsFor.length === 0 || waitsFor.some((one) => plainName(one) === plainName(name));

const output = ({ clock }: Context) => ({
  schema: 'bursar.inbox/v1',
  about: {},
  array: 'items',
  lineSchema: 'bursar.inbox-item/v1',
  header: 'What waits, what has waited longest first:',
  textOf: ({ kind, batchId, scheduleId, run, waitsFor, missing, ...item }: InboxItem): string => {
    const who = waitsFor.length === 0 ? 'an operator' : waitsFor.join(', ');
    const totals = moneyList(item.totals);
    const since = item.since === null ? '' : ` since ${instantText(item.since, clock)}`;
    const due = item.due === null ? '' : `, due ${instantText(item.due, clock)}`;
    const isAhead = item.due !== null && Date.parse(item.due) > clock.nowMs();
    const what = scheduleId === undefined ? batchId : `${scheduleId} for ${run ?? ''}`;
    const about =
      scheduleId === undefined
        ? `${printable(totals)}, submitted by ${printable(item.submittedBy)}${due}`
        : `would be batch ${batchId}${isAhead ? due : ''}; make sure first that it was not paid in another way`;
    return [
      '',
      `${kind}  ${what}${since}, for ${printable(who)}`,
      `  ${about}`,
      ...missing.map((sentence) => `  ${withReadableInstants(printable(sentence), clock)}`),
      `  ${item.command}`,
    ].join('\n');
  },
});
