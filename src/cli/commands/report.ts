import { showBatch } from '../../app/batches/look.ts';
import { refreshReport, writeReport } from '../../app/batches/proof.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { isEndState } from '../../domain/batch/batch-state.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { counted } from '../../domain/text/counted.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import type { RefreshedReport } from '../../operations/report/write-report.ts';
import type { Context } from '../context.ts';
import { exitCodeOf, printStanding } from '../follow/follow.ts';
import { perform } from '../perform.ts';
import { copyReport } from './copy-report.ts';

type ReportFlags = Readonly<{
  batch: string;
  /** Whether to read changeable ends again before. */
  refresh?: boolean;
  /** The folder for a copy of the newest report; then none is written. */
  out?: string;
  /** Whether the copy also has the rows as workbooks. */
  xlsx?: boolean;
}>;

/**
 * `bursar report BATCH`: writes the report of an ended batch again. For an open batch it prints the state. With `--out` it copies
 * the newest report, and writes none.
 */
export async function report(flags: ReportFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const { out, xlsx = false } = flags;
  if (xlsx && out === undefined) throw flagInvalid('--xlsx', 'needs --out DIR');
  if (flags.refresh) {
    const told = await perform(refreshReport, { batchId }, context);
    if (told.refreshed === null) {
      context.say(
        'The read takes longer than a minute and continues. Run the command again later.',
      );
      return EXIT.running;
    }
    sayRefreshed(told.refreshed, context);
  }
  if (out !== undefined) {
    return withSources(context, async (sources) => {
      const record = await sources.store.batches.find(batchId);
      return copyReport(sources, { batchId, record, out, xlsx }, context);
    });
  }
  const standing = flags.refresh
    ? await perform(showBatch, { batchId }, context)
    : await perform(writeReport, { batchId }, context);
  printStanding(standing, context);
  if (standing.isRegistered && isEndState(standing.state)) return EXIT.done;
  return standing.isOver ? exitCodeOf(standing) : EXIT.running;
}

function sayRefreshed(
  { changedRows, unread, version }: NonNullable<RefreshedReport['refreshed']>,
  { say }: Context,
): void {
  say(
    changedRows === 0
      ? `Nothing has changed. The newest report is version ${version}.`
      : `${counted(changedRows, 'row has', 'rows have')} another outcome now; the report is version ${version}.`,
  );
  if (unread > 0) say(`${counted(unread, 'mass payout')} could not be read this time.`);
}
