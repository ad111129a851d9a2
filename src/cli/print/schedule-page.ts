import type { Context } from '../context.ts';
import type { ShownZone } from '../../operations/context.ts';
import type { ScheduleView } from '../../operations/schedule/standing.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { instantText } from '../../operations/text/instants.ts';
import { printResult } from './output.ts';
import { runLines } from './schedule-text.ts';

export function printSchedule(view: ScheduleView, context: Context): void {
  printResult(context, { json: view, text: pageText(view, context) });
}

/** A schedule that was just created: its next runs were shown before the confirmation. */
export function printCreated(view: ScheduleView, context: Context): void {
  const more = `Its runs: bursar schedule show ${view.scheduleId}`;
  const text = [...headLines(view, context), '', more].join('\n');
  printResult(context, { json: view, text });
}

/** The state in Temporal, where it differs from the store. */
const TEMPORAL_TEXTS = {
  paused: 'paused in Temporal too',
  unknown: 'NOT SET UP: no run begins. "bursar schedule resume" sets it up again',
  'at work': 'active in Temporal too',
} as const;

function headLines(view: ScheduleView, { clock }: Context): string[] {
  return [
    `Schedule ${view.scheduleId}: ${view.rule}, ${view.timezone}`,
    ...factLines([
      ['state', stateText(view, clock)],
      ['Temporal', temporalText(view)],
      ['file', printable(view.file)],
      ['created', `by ${printable(view.createdBy)}, ${instantText(view.createdAt, clock)}`],
    ]),
  ];
}

function pageText(view: ScheduleView, context: Context): string {
  const { lastRuns, nextRuns } = view;
  return [
    ...headLines(view, context),
    '',
    'Last runs',
    ...(lastRuns.length === 0 ? ['  none yet'] : runLines(lastRuns, view.leadMs)),
    ...(view.state === 'DELETED'
      ? ['', `Make it again: bursar schedule create ${view.scheduleId}`]
      : ['', 'Next runs', ...runLines(nextRuns, view.leadMs)]),
  ].join('\n');
}

function stateText(
  { note, pausedAt, deletedAt, deletedBy }: ScheduleView,
  clock: ShownZone,
): string {
  if (deletedAt !== null) {
    const who = deletedBy === null ? '' : ` by ${printable(deletedBy)}`;
    return `DELETED${who}, ${instantText(deletedAt, clock)}: no run begins any more`;
  }
  return pausedAt === null
    ? 'active'
    : `PAUSED since ${instantText(pausedAt, clock)}: ${printable(note ?? '')}`;
}

/** The command was cut off before it reached Temporal. */
const STILL_THERE = 'STILL THERE; its runs are refused. Delete it again';

function temporalText({ state, temporal }: ScheduleView): string {
  if (temporal === null) return 'does not answer now';
  if (state === 'DELETED') return temporal === 'unknown' ? 'deleted in Temporal too' : STILL_THERE;
  if (temporal === 'paused' && state === 'AT_WORK') {
    return 'PAUSED in Temporal, and not by Bursar: "bursar schedule resume" starts it again';
  }
  if (temporal === 'at work' && state === 'PAUSED')
    return 'active in Temporal; its runs are still skipped';
  return TEMPORAL_TEXTS[temporal];
}
