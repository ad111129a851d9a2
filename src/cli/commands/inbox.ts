import { readInbox } from '../../app/account/funds.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { moneyList } from '../../domain/text/money-text.ts';
import type { InboxItem } from '../../operations/batch/types.ts';
import { deadlineText, instantText, withReadableInstants } from '../../operations/text/instants.ts';
import type { Context } from '../context.ts';
import { performList } from '../perform.ts';
import { sayPlace } from '../place-line.ts';
import { printList } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';

type InboxFlags = Readonly<{ for?: string }>;

/** `bursar inbox`: what waits for whom. With `--for NAME`, what NAME can do something about. */
export async function inbox(flags: InboxFlags, context: Context): Promise<number> {
  await sayPlace(context);
  const choices = flags.for === undefined ? {} : { person: flags.for };
  return performList(readInbox, choices, {
    context,
    async use({ about, items }) {
      const text = inboxText(context);
      const count = await printList(context, items, { ...readInbox.names, about, ...text });
      if (count === 0 && context.format === 'text') context.say('Nothing is waiting.');
      return EXIT.done;
    },
  });
}

/** The titles of the kinds of items. */
const KINDS: Readonly<Record<InboxItem['kind'], string>> = {
  APPROVAL: 'Approval',
  HOLD: 'On hold',
  OPERATOR: 'Question',
  FUNDS: 'Money',
  CONFIRMATION: 'Confirmation',
  RUN: 'Run',
  LOST: 'Stopped',
};

const inboxText = ({ clock }: Context) => ({
  header: 'Waiting for someone (oldest first):',
  textOf: ({ kind, batchId, scheduleId, run, waitsFor, missing, ...item }: InboxItem): string => {
    const who = waitsFor.length === 0 ? 'payments team' : waitsFor.join(', ');
    const totals = moneyList(item.totals);
    const since = item.since === null ? '' : ` since ${instantText(item.since, clock)}`;
    const due = item.due === null ? '' : `, due ${deadlineText(item.due, clock)}`;
    const until = item.until === undefined ? '' : `, until ${deadlineText(item.until, clock)}`;
    const isAhead = item.due !== null && Date.parse(item.due) > clock.nowMs();
    const what = scheduleId === undefined ? batchId : `${scheduleId} for ${run ?? ''}`;
    const about =
      scheduleId === undefined
        ? `${printable(totals)}, submitted by ${printable(item.submittedBy)}${due}`
        : `would be batch ${batchId}${isAhead ? due : ''}; make sure first that it was not paid in another way`;
    return [
      '',
      `${KINDS[kind]}  ${what}${since}${until}, for: ${printable(who)}`,
      `  ${about}`,
      ...missing.map((sentence) => `  ${withReadableInstants(printable(sentence), clock)}`),
      `  ${item.command}`,
    ].join('\n');
  },
});
