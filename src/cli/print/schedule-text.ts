import { isBatchState } from '../../domain/batch/batch-state.ts';
import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import { counted } from '../../domain/text/counted.ts';
import { roughDurationText } from '../../domain/text/duration.ts';
import type { SchedulePreview } from '../../operations/schedule/preview.ts';
import type { RunView } from '../../operations/schedule/views.ts';
import { printable } from '../terminal/printable.ts';
import { createTable, factLines } from '../terminal/table.ts';

type Fact = readonly [name: string, value: string];

/** A schedule: its rules, what each run pays, and its next runs. */
export const previewText = (preview: SchedulePreview): string =>
  [
    `Schedule ${preview.scheduleId}`,
    ...factLines([...ruleFacts(preview), ...choiceFacts(preview)]),
    '',
    ...runLines(preview.runs, preview.leadMs),
  ].join('\n');

const ruleFacts = (timing: SchedulePreview): Fact[] => [
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

function shiftText({ shift, weekend, holidays }: SchedulePreview): string {
  if (shift === 'none') return 'runs on weekends and holidays stay where they are';
  const days = weekend.join(', ');
  const others =
    holidays === null
      ? ''
      : ` and on ${counted(holidays.days, 'holiday')} (${printable(holidays.file)}, known until ${holidays.last})`;
  return `a run on ${days}${others} is moved to the business day ${shift}; runs that meet there all happen`;
}

const beginText = ({ leadMs }: SchedulePreview): string =>
  leadMs === 0
    ? 'when it is due: its file is taken then, and it is paid at once, or as soon as it is approved'
    : `${roughDurationText(leadMs)} before it is due: its file is taken then, and approvals that are there by the due time are in time`;

function choiceFacts(preview: SchedulePreview): Fact[] {
  const { file, folder, accept = [], expectTotals = [], stopLoss = [], approval = [] } = preview;
  if (file === undefined) return [];
  const { allowUnchanged, currency, skipInvalid, expectCount, canaryRows } = preview;
  const unchanged = allowUnchanged ? 'missing or empty' : 'missing, empty or unchanged';
  return [
    ['file', `${printable(file)} in ${folder}, looked for when the run begins`],
    ['', `one that is ${unchanged} fails the run, and nothing is paid`],
    ...optional('currency', currency),
    ...(skipInvalid ? [['invalid rows', 'are left out'] as const] : []),
    ...optional(
      'rows',
      expectCount === null || expectCount === undefined ? null : `exactly ${expectCount}`,
    ),
    ...optional('totals', expectTotals.join(', ')),
    ...optional('canary', canaryRows ? `${counted(canaryRows, 'row')} first` : null),
    ...optional('stop loss', stopLoss.join(', ')),
    ...optional('accepts', accept.join(', ')),
    ['funds', fundsText(preview)],
    ...approval.map((sentence): Fact => ['approval', printable(sentence)]),
  ];
}

const fundsText = ({ fundsWaitMs }: SchedulePreview): string =>
  fundsWaitMs === null || fundsWaitMs === undefined
    ? 'too low a balance fails the batch'
    : `too low a balance is waited for, ${roughDurationText(fundsWaitMs)} long`;

const optional = (name: string, value: string | null | undefined): Fact[] =>
  value ? [[name, printable(value)]] : [];

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
