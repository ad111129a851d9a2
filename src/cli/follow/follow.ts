import { EXIT, exitCodeOfEnd } from '../../domain/errors/exit-codes.ts';
import {
  throughputOf,
  type ThroughputReading,
  withReading,
} from '../../domain/batch/throughput.ts';
import { isEndState } from '../../domain/batch/batch-state.ts';
import { followBatch } from '../../app/batches/look.ts';
import {
  type FollowChoices,
  needsNobodyMore,
  needsOperator,
} from '../../operations/batch/follow-batch.ts';
import type { ShownBatch } from '../../operations/batch/standing-view.ts';
import type { Context } from '../context.ts';
import { performList } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { alarmText, standingText, stateText } from '../print/batch-text.ts';
import { doneOf, progressText } from '../print/progress-text.ts';

/** Follows a batch to its end, or to what only a person can decide, and prints where it stands then. Answers with the exit code. */
export async function follow(input: FollowChoices, context: Context): Promise<number> {
  const newest = await performList(followBatch, input, {
    context,
    use: ({ items }) => tellAll(items, context),
  });
  if (newest === undefined) return EXIT.interrupted;
  if (needsNobodyMore(newest)) return finish(newest, context);
  return leave(newest, context.interrupted.aborted ? EXIT.interrupted : EXIT.running, context);
}

/** Shows each standing as it comes. Answers with the newest one. */
async function tellAll(
  standings: AsyncIterable<ShownBatch> | Iterable<ShownBatch>,
  context: Context,
): Promise<ShownBatch | undefined> {
  const tell = createTeller(context);
  let newest: ShownBatch | undefined;
  for await (const standing of standings) {
    newest = standing;
    if (!needsNobodyMore(standing)) tell(standing);
  }
  return newest;
}

/** Shows the progress of a batch: a live line for people, else a line for each new state. */
function createTeller(context: Context) {
  const { clock, say, show, terminal } = context;
  let lastTold = '';
  let lastAlarms = '';
  let lastTrouble = '';
  let readings: readonly ThroughputReading[] = [];
  return (standing: ShownBatch): void => {
    const told = stateText(standing, clock);
    // A live line that stands still for days is easily overlooked.
    const mustStay = !terminal.err.isTty || standing.state === 'SCHEDULED';
    if (told !== lastTold && mustStay) say(told);
    lastTold = told;
    const alarms = standing.alarms.map((one) => alarmText(one, context)).join('\n');
    if (alarms !== lastAlarms && alarms !== '') say(alarms);
    lastAlarms = alarms;
    const { trouble = '' } = standing;
    if (trouble !== lastTrouble && trouble !== '') say(trouble);
    lastTrouble = trouble;
    readings = withReading(readings, { atMs: clock.nowMs(), done: doneOf(standing) });
    const throughput = throughputOf(readings, standing.rows.total);
    show(progressText(standing, { clock, columns: terminal.err.columns, throughput }));
  };
}

function finish(standing: ShownBatch, context: Context): number {
  printStanding(standing, context);
  return exitCodeOf(standing);
}

function leave(standing: ShownBatch, exitCode: number, context: Context): number {
  context.clear();
  context.say(`The batch goes on. Follow it with: bursar watch ${standing.batchId}`);
  if (exitCode === EXIT.running) printStanding(standing, context);
  return exitCode;
}

export function printStanding(standing: ShownBatch, context: Context): void {
  context.clear();
  printResult(context, { json: standing, text: standingText(standing, context) });
}

/** The exit code of a command that waited, by where the batch stands. */
export function exitCodeOf(standing: ShownBatch): number {
  const { state, error, trouble, paidTwice } = standing;
  const isTwice = paidTwice.length > 0;
  if (trouble !== undefined || isTwice || needsOperator(standing)) return EXIT.needsOperator;
  return isEndState(state) ? exitCodeOfEnd(state, error) : EXIT.running;
}
