import type { Throughput } from '../../domain/batch/throughput.ts';
import { holdWord } from '../../domain/holds/hold-word.ts';
import { verificationProgressText } from '../../domain/restore/progress.ts';
import { withCommas } from '../../domain/text/counted.ts';
import { shortDurationText } from '../../domain/text/duration.ts';
import { batchStateWords } from '../../domain/text/state-words.ts';
import type { ShownBatch } from '../../operations/batch/standing-view.ts';
import { barText } from '../../operations/text/progress.ts';
import { deadlineText } from '../../operations/text/instants.ts';
import { NOT_SENT_YET, rowsInWords } from '../../report/outcome-fields.ts';
import type { Context } from '../context.ts';
import { doesText, isUnfinished } from './batch-text.ts';

/** Cells of the bar, between brackets and a space. */
const BAR_MIN = 4;
const BAR_MAX = 24;
const BAR_EDGES = 3;

/** A text that is cut is at least so long, in characters. */
const CUT_MIN = 12;

/** `columns`: characters of the line. `throughput`: null while it is not known. */
export type ProgressStyle = Readonly<{
  clock: Context['clock'];
  columns: number;
  throughput: Throughput | null;
}>;

/**
 * One line about a batch that is under way. State and numbers come first; a part that does not fit is left out, and no
 * number is cut: `Being paid: 30,369 of 200,000 paid, 7 min left, 410 rows/s [####          ]`.
 */
export function progressText(
  standing: ShownBatch,
  { clock, columns, throughput }: ProgressStyle,
): string {
  const { state, activity, rows } = standing;
  const title = activity?.isHeld === true ? holdWord(standing.holds) : batchStateWords(state);
  const [first = '', ...more] = [...countParts(standing), ...throughputParts(standing, throughput)];
  let line = first === '' ? title : `${title}: ${first}`;
  const add = (text: string): boolean => {
    const longer = `${line}${line === title ? ': ' : ', '}${text}`;
    if (longer.length >= columns) return false;
    line = longer;
    return true;
  };
  for (const part of more) add(part);
  const cells = Math.min(BAR_MAX, columns - 1 - line.length - BAR_EDGES);
  const hasBar = rows.total > 0 && IN_PAYMENT.includes(state) && cells >= BAR_MIN;
  const bar = hasBar ? ` ${barText(doneOf(standing) / rows.total, cells)}` : '';
  const room = columns - bar.length;
  for (const part of openParts(standing)) if (line.length + part.length + 2 < room) add(part);
  const note = noteOf(standing, clock);
  return `${note === null ? line : withCut(line, note, room)}${bar}`;
}

const IN_PAYMENT: readonly string[] = ['PAYING', 'SETTLING'];

/** How many rows of a batch have an outcome. */
export const doneOf = ({ rows }: ShownBatch): number =>
  rows.paid + rows.failed + rows.unknown + rows.notSent;

function countParts({ rows }: ShownBatch): string[] {
  const { total, paid, failed, unknown } = rows;
  if (total === 0) return [];
  return [
    `${withCommas(paid)} of ${rowsInWords(total)} paid`,
    ...(failed > 0 ? [`${withCommas(failed)} failed`] : []),
    ...(unknown > 0 ? [`${withCommas(unknown)} unknown`] : []),
  ];
}

function throughputParts({ state }: ShownBatch, throughput: Throughput | null): string[] {
  if (throughput === null || !IN_PAYMENT.includes(state)) return [];
  const { leftMs, rowsPerSecond } = throughput;
  return [`${shortDurationText(leftMs)} left`, `${rateText(rowsPerSecond)} rows/s`];
}

const rateText = (perSecond: number): string =>
  perSecond < 10 ? perSecond.toFixed(1) : withCommas(Math.round(perSecond));

const openParts = ({ rows: { inFlight, notSentYet = 0 } }: ShownBatch): string[] => [
  ...(inFlight > 0 ? [`${withCommas(inFlight)} in flight`] : []),
  ...(notSentYet > 0 ? [`${withCommas(notSentYet)} ${NOT_SENT_YET}`] : []),
];

/** The present activity or wait of the batch, in words; null: its state has it. */
function noteOf(standing: ShownBatch, clock: Context['clock']): string | null {
  const { activity, verifying, fundsUntil } = standing;
  if (verifying !== undefined) return verificationProgressText(verifying);
  if (fundsUntil !== undefined) return `until ${deadlineText(fundsUntil, clock)}`;
  const isSaid = activity === undefined || isUnfinished(standing);
  return isSaid ? null : doesText(standing, activity, clock);
}

/** A line with one more text, which is cut after a word where it does not fit. */
function withCut(line: string, text: string, columns: number): string {
  const whole = `${line}${line.includes(':') ? ', ' : ': '}${text}`;
  if (whole.length < columns) return whole;
  const room = whole.slice(0, columns - 4);
  const cut = room.slice(0, Math.max(0, room.lastIndexOf(' ')));
  return cut.length < line.length + CUT_MIN ? line : `${cut} ...`;
}
