import { codeWords } from '../../domain/text/state-words.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { SHOWN_OUTCOMES, type ShownOutcome } from '../../domain/settling/outcome.ts';
import { type ShownRow, shownRows } from '../../report/report-rows.ts';
import { findRecord } from '../../operations/batch/find-record.ts';
import { withSourcesToRead } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readChoices, readLimit } from '../../operations/input/lists.ts';
import { printList } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { groupedAmount } from '../../domain/text/money-text.ts';

type RowsFlags = Readonly<{ batch: string; outcome?: string; limit?: string }>;

/** `bursar rows BATCH`: every row with its outcome so far, in the order of the file. */
export async function rows(flags: RowsFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const outcomes =
    flags.outcome === undefined
      ? SHOWN_OUTCOMES
      : readChoices('--outcome', flags.outcome, SHOWN_OUTCOMES);
  const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : readLimit(flags.limit);
  return withSourcesToRead(context, async (sources) => {
    const record = await findRecord(sources, batchId);
    const chunks = await sources.store.chunks.list(batchId);
    const all = shownRows(sources.store, record, chunks);
    const count = await printList(context, chosen(all, outcomes, limit), output(batchId));
    if (count === 0 && context.format === 'text') context.say('There are no such rows.');
    return EXIT.done;
  });
}

async function* chosen(
  all: AsyncIterable<ShownRow>,
  outcomes: readonly ShownOutcome[],
  limit: number,
): AsyncGenerator<ShownRow> {
  let left = limit;
  for await (const row of all) {
    if (!outcomes.includes(row.outcome)) continue;
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}

const output = (batchId: string) => {
  const table = createTable([
    { title: 'ROW', width: 7, right: true },
    { title: 'OUTCOME', width: 12 },
    { title: 'AMOUNT', width: 16, right: true },
    { title: 'CURRENCY', width: 11 },
    { title: 'ADDRESS', width: 42 },
    { title: 'REFERENCE', width: 12 },
    { title: 'REASON', width: 0 },
  ]);
  return {
    schema: 'bursar.rows/v1',
    about: { batchId },
    name: 'rows',
    lineSchema: 'bursar.row/v1',
    header: table.header(),
    textOf: (row: ShownRow) =>
      table.row([
        String(row.row),
        codeWords(row.outcome),
        groupedAmount(row.amount),
        row.currency,
        printable(row.address),
        printable(row.reference),
        printable(row.reason),
      ]),
  };
};
