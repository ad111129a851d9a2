import { codeInSentence, codeWords } from '../../../domain/text/state-words.ts';
import type { Sources } from '../../../operations/batch/types.ts';
import { readDefinition } from '../../../contract/schedule.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { RunState } from '../../../domain/schedule/run-state.ts';
import { isoOf } from '../../../domain/schedule/zone.ts';
import type { ScheduleRecord } from '../../../store/schedules/schedules.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { printList } from '../../print/output.ts';
import { nextStartable } from '../../../operations/schedule/demand.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { printSchedule } from '../../print/schedule-page.ts';
import { findEverMade } from '../../../operations/schedule/find.ts';
import { readSchedule } from '../../../operations/schedule/standing.ts';

/** One schedule of the list. */
type ListedSchedule = Readonly<{
  scheduleId: string;
  state: 'AT_WORK' | 'PAUSED';
  rule: string;
  timezone: string;
  nextDueAt: string | null;
  lastRun: Readonly<{ run: string; state: RunState; batchId: string | null }> | null;
}>;

/** `bursar schedule list`: every schedule, by id. */
export async function listSchedules(_flags: object, context: Context): Promise<number> {
  return withSources(context, async (sources) => {
    const records = await sources.store.schedules.list();
    const nowMs = context.clock.nowMs();
    const listed = await Promise.all(records.map((record) => listOne(sources, record, nowMs)));
    const count = await printList(context, listed, output(context));
    if (count === 0 && context.format === 'text') context.say('There are no schedules.');
    return EXIT.done;
  });
}

async function listOne(
  { store }: Sources,
  record: ScheduleRecord,
  nowMs: number,
): Promise<ListedSchedule> {
  const definition = readDefinition(record);
  const { scheduleId, rule, timezone } = definition;
  const next = await nextStartable(store, definition, nowMs);
  const [last] = await store.scheduleRuns.list(scheduleId, { limit: 1 });
  return {
    scheduleId,
    state: record.paused === null ? 'AT_WORK' : 'PAUSED',
    rule,
    timezone,
    nextDueAt: next === undefined ? null : isoOf(next.dueAtMs),
    lastRun:
      last === undefined ? null : { run: last.nominal, state: last.state, batchId: last.batchId },
  };
}

const output = ({ clock }: Context) => {
  const table = createTable([
    { title: 'SCHEDULE', width: 20 },
    { title: 'STATE', width: 8 },
    { title: 'RULE', width: 26 },
    { title: 'LAST RUN', width: 26 },
    { title: 'NEXT DUE', width: 0 },
  ]);
  return {
    schema: 'bursar.schedule-list/v1',
    about: {},
    array: 'schedules',
    lineSchema: 'bursar.schedule-line/v1',
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
  return withSources(context, async (sources) => {
    const found = await findEverMade(sources.store, schedule);
    printSchedule(await readSchedule(sources, found, context), context);
    return EXIT.done;
  });
}
