import { isBatchState } from '../../domain/batch/batch-state.ts';
import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import { counted } from '../../domain/text/counted.ts';
import { writtenMoneyText } from '../../domain/text/money-text.ts';
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
  ['zone', `${timing.timezone}: the times of runs follow the clocks there`],
  [
    'clocks',
    'if a time does not exist (clocks go forward): mostly one hour later. If it occurs twice: the first',
  ],
  ['days off', shiftText(timing)],
  ['begins', beginText(timing)],
  [
    'late',
    `a run that did not begin within ${roughDurationText(timing.catchUpMs)} of its due time is reported as missed and not paid`,
  ],
  [
    'overlap',
    'a run does not begin while the run before it is being paid; it is reported as missed',
  ],
];

function shiftText({ shift, weekend, holidays }: SchedulePreview): string {
  if (shift === 'none') return 'runs on weekends and holidays keep their day';
  const days = weekend.join(', ');
  const others =
    holidays === null
      ? ''
      : ` and on ${counted(holidays.days, 'holiday')} (${printable(holidays.file)}, known until ${holidays.last})`;
  return `a run on ${days}${others} moves to the business day ${shift}; several runs on one day all happen`;
}

const beginText = ({ leadMs }: SchedulePreview): string =>
  leadMs === 0
    ? 'when it is due: Bursar reads its file, and pays it at once or after its approvals'
    : `${roughDurationText(leadMs)} before it is due: Bursar reads its file, and people can approve until the due time`;

function choiceFacts(preview: SchedulePreview): Fact[] {
  const { file, folder, accept = [], expectTotals = [], stopLoss = [], approval = [] } = preview;
  if (file === undefined) return [];
  const { allowUnchanged, currency, skipInvalid, expectCount, canaryRows } = preview;
  const unchanged = allowUnchanged ? 'missing or empty' : 'missing, empty or unchanged';
  return [
    ['file', `${printable(file)} in ${folder}, read when the run begins`],
    ['', `if it is ${unchanged}, the run fails and pays nothing`],
    ...optional('currency', currency),
    ...(skipInvalid ? [['invalid rows', 'are left out'] as const] : []),
    ...optional(
      'rows',
      expectCount === null || expectCount === undefined ? null : `exactly ${expectCount}`,
    ),
    ...optional('totals', expectTotals.map(writtenMoneyText).join(', ')),
    ...optional('canary', canaryRows ? `${counted(canaryRows, 'row')} first` : null),
    ...optional('stop loss', stopLoss.map(writtenMoneyText).join(', ')),
    ...optional('accepts', accept.join(', ')),
    ['funds', fundsText(preview)],
    ...approval.map((sentence): Fact => ['approval', printable(sentence)]),
  ];
}

const fundsText = ({ fundsWaitMs }: SchedulePreview): string =>
  fundsWaitMs === null || fundsWaitMs === undefined
    ? 'with too low a balance the batch fails'
    : `with too low a balance the batch waits ${roughDurationText(fundsWaitMs)} for a top-up`;

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
