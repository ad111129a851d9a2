import { listSchedules as list, showSchedule as show } from '../../../app/schedules/look.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { codeInSentence, codeWords } from '../../../domain/text/state-words.ts';
import type { ListedSchedule } from '../../../operations/schedule/list.ts';
import { instantText } from '../../../operations/text/instants.ts';
import type { Context } from '../../context.ts';
import { perform, performList } from '../../perform.ts';
import { printList } from '../../print/output.ts';
import { printSchedule } from '../../print/schedule-page.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';

/** `bursar schedule list`: every schedule, by id. */
export const listSchedules = (_flags: object, context: Context): Promise<number> =>
  performList(
    list,
    {},
    {
      context,
      async use({ about, items }) {
        const output = { ...list.names, about, ...listText(context) };
        const count = await printList(context, items, output);
        if (count === 0 && context.format === 'text') context.say('There are no schedules.');
        return EXIT.done;
      },
    },
  );

const listText = ({ clock }: Context) => {
  const table = createTable([
    { title: 'SCHEDULE', width: 20 },
    { title: 'STATE', width: 8 },
    { title: 'RULE', width: 26 },
    { title: 'LAST RUN', width: 26 },
    { title: 'NEXT DUE', width: 0 },
  ]);
  return {
    header: table.header(),
    textOf: ({ scheduleId, state, rule, lastRun, nextDueAt }: ListedSchedule) =>
      table.row([
        scheduleId,
        codeWords(state),
        printable(rule),
        lastRun === null ? '-' : `${lastRun.run} ${codeInSentence(lastRun.state)}`,
        nextDueAt === null || state === 'PAUSED' ? '-' : instantText(nextDueAt, clock),
      ]),
  };
};

/**
 * `bursar schedule show ID`: its definition and state, its last runs and their results, and its next runs. A deleted
 * schedule is shown with its last definition and its history.
 */
export async function showSchedule(
  { schedule }: Readonly<{ schedule: string }>,
  context: Context,
): Promise<number> {
  printSchedule(await perform(show, { scheduleId: schedule }, context), context);
  return EXIT.done;
}
