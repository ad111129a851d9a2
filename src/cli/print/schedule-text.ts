import { isBatchState } from '../../domain/batch/batch-state.ts';
import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { policyAheadText } from '../../domain/approval/policy-text.ts';
import { roughDurationText } from '../../domain/text/duration.ts';
import type { Timing } from '../../domain/schedule/timing.ts';
import { WEEKDAYS } from '../../domain/schedule/zone.ts';
import type { RunView } from '../../operations/schedule/views.ts';
import { printable } from '../terminal/printable.ts';
import { createTable, factLines } from '../terminal/table.ts';

type Fact = readonly [name: string, value: string];

/** The settings that apply to runs. The settings of the workers decide, and may differ. */
export type RunSettings = Readonly<{ folder: string; approval: ApprovalPolicy | null }>;

/** Every rule by which a schedule runs, and what each run pays, in sentences. */
export const scheduleLines = (
  timing: Timing | ScheduleDefinition,
  settings: RunSettings,
): string[] =>
  factLines([...ruleFacts(timing), ...('file' in timing ? choiceFacts(timing, settings) : [])]);

const ruleFacts = (timing: Timing): Fact[] => [
  ['rule', `${timing.rule}${timing.rule === timing.cron ? '' : ` (cron ${timing.cron})`}`],
  ['zone', `${timing.timezone}: each run is one instant, worked out from the clocks there`],
  [
    'clocks',
    'if the time does not exist (clocks go forward): later by the jump, mostly one hour. If it occurs twice: the first',
  ],
  ['days off', shiftText(timing)],
  ['begins', beginText(timing)],
  [
    'late',
    `a run that could not begin within ${roughDurationText(timing.catchUpMs)} of its due time is reported as missed; it is never paid late by itself`,
  ],
  [
    'overlap',
    'a run does not begin while the run before it is still being paid: it is reported as missed',
  ],
];

function shiftText({ shift, weekend, holidays }: Timing): string {
  if (shift === 'none') return 'runs on weekends and holidays stay where they are';
  const days = weekend.map((day) => WEEKDAYS[day - 1] ?? '').join(', ');
  const last = holidays?.days.at(-1)?.date ?? '';
  const others =
    holidays === null
      ? ''
      : ` and on ${counted(holidays.days.length, 'holiday')} (${printable(holidays.file)}, known until ${last})`;
  return `a run on ${days}${others} is moved to the business day ${shift}; runs that meet there all happen`;
}

const beginText = ({ leadMs }: Timing): string =>
  leadMs === 0
    ? 'when it is due: its file is taken then, and it is paid at once, or as soon as it is approved'
    : `${roughDurationText(leadMs)} before it is due: its file is taken then, and approvals that are there by the due time are in time`;

function choiceFacts(
  { file, options }: ScheduleDefinition,
  { folder, approval }: RunSettings,
): Fact[] {
  const unchanged = file.allowUnchanged ? 'missing or empty' : 'missing, empty or unchanged';
  return [
    ['file', `${printable(file.pattern)} in ${folder}, looked for when the run begins`],
    ['', `one that is ${unchanged} fails the run, and nothing is paid`],
    ...optional('currency', options.currency),
    ...(options.skipInvalid ? [['invalid rows', 'are left out'] as const] : []),
    ...optional('rows', options.expectCount === null ? null : `exactly ${options.expectCount}`),
    ...optional('totals', options.expectTotals.join(', ') || null),
    ...optional(
      'canary',
      options.canaryRows === 0 ? null : `${counted(options.canaryRows, 'row')} first`,
    ),
    ...optional('stop loss', options.stopLoss.join(', ') || null),
    ...optional('accepts', options.accept.join(', ') || null),
    [
      'funds',
      options.fundsWaitMs === null
        ? 'too low a balance fails the batch'
        : `too low a balance is waited for, ${roughDurationText(options.fundsWaitMs)} long`,
    ],
    ...policyAheadText(approval).map((sentence): Fact => ['approval', printable(sentence)]),
  ];
}

const optional = (name: string, value: string | null): Fact[] =>
  value === null ? [] : [[name, printable(value)]];

/** The detail of a run that ended is the state of its batch; that of any other run is a sentence. */
const detailWords = (detail: string): string =>
  isBatchState(detail) ? batchStateWords(detail) : detail;

/** Runs in a table, with the notes of each below it. */
export function runLines(runs: readonly RunView[], leadMs: number): string[] {
  const table = createTable([
    { title: 'RUN FOR', width: 16 },
    { title: 'DUE, LOCAL', width: 27 },
    { title: 'DUE, UTC', width: 16 },
    ...(leadMs === 0 ? [] : [{ title: 'BEGINS, UTC', width: 16 }]),
    { title: 'STATE', width: 8 },
    { title: 'FILE', width: 0 },
  ]);
  return [
    table.header(),
    ...runs.flatMap((run) => [
      table.row([
        run.run,
        run.local,
        utcText(run.dueAt),
        ...(leadMs === 0 ? [] : [utcText(run.beginsAt)]),
        run.state === null ? '-' : codeInSentence(run.state),
        printable(run.file ?? '-'),
      ]),
      ...run.marks.map(({ text }) => `${INDENT}${printable(text)}`),
      ...(run.detail === null ? [] : [`${INDENT}${printable(detailWords(run.detail))}`]),
    ]),
  ];
}

/** Below the first column. */
const INDENT = ' '.repeat(18);

const utcText = (instant: string): string => instant.slice(0, 16).replace('T', ' ');
