import { listRows } from '../../app/batches/look.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { SHOWN_OUTCOMES } from '../../domain/settling/outcome.ts';
import { amountText, currencyText } from '../../domain/text/money-text.ts';
import { codeWords } from '../../domain/text/state-words.ts';
import { readChoices, readLimit } from '../../operations/input/lists.ts';
import type { ShownRow } from '../../report/report-rows.ts';
import type { Context } from '../context.ts';
import { performList } from '../perform.ts';
import { printList } from '../print/output.ts';
import { paintOutcome } from '../print/state-colours.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';

type RowsFlags = Readonly<{ batch: string; outcome?: string; limit?: string }>;

/** `bursar rows BATCH`: every row with its outcome so far, in the order of the file. */
export async function rows(flags: RowsFlags, context: Context): Promise<number> {
  const { outcome, limit } = flags;
  const input = {
    batchId: readBatchId(flags.batch),
    ...(outcome === undefined
      ? {}
      : { outcomes: readChoices('--outcome', outcome, SHOWN_OUTCOMES) }),
    ...(limit === undefined ? {} : { limit: readLimit(limit) }),
  };
  return performList(listRows, input, {
    context,
    async use({ about, items }) {
      const count = await printList(context, items, {
        ...listRows.names,
        about,
        ...rowText(context),
      });
      if (count === 0 && context.format === 'text') context.say('There are no such rows.');
      return EXIT.done;
    },
  });
}

function rowText({ colours }: Context) {
  const table = createTable([
    { title: 'ROW', width: 7, right: true },
    { title: 'OUTCOME', width: 12 },
    { title: 'AMOUNT', width: 16, right: true },
    { title: 'CURRENCY', width: 12 },
    { title: 'ADDRESS', width: 42 },
    { title: 'REFERENCE', width: 12 },
    { title: 'REASON', width: 0 },
  ]);
  return {
    header: table.header(),
    textOf: (row: ShownRow) =>
      table.row([
        String(row.row),
        {
          text: codeWords(row.outcome),
          paint: (text) => paintOutcome(row.outcome, text, colours),
        },
        amountText(row.amount, row.currency),
        printable(currencyText(row.currency)),
        printable(row.address),
        printable(row.reference),
        printable(row.reason),
      ]),
  };
}
