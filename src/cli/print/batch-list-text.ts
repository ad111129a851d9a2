import { batchStateWords } from '../../domain/text/state-words.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import { withCommas } from '../../domain/text/counted.ts';
import type { ListedBatch } from '../../operations/batch/list-batches.ts';
import type { Context } from '../context.ts';
import { paintState } from './state-colours.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { instantText } from '../../operations/text/instants.ts';
import { moneyText } from '../../domain/text/money-text.ts';

/** How a list of batches is written: a table that fits its batches, or blocks where the terminal is too narrow for it. */
export function batchListText(batches: readonly ListedBatch[], context: Context) {
  const { clock, colours, terminal } = context;
  const rows = batches.map((batch) => cellsOf(batch, clock));
  const widths = TITLES.map((title, i) =>
    Math.max(title.length, ...rows.flatMap((lines) => lines.map((cells) => cells[i]?.length ?? 0))),
  );
  const width = widths.reduce((sum, one) => sum + GAP + one, -GAP);
  if (terminal.out.isTty && width > terminal.out.columns) {
    return { header: 'BATCH  STATE', textOf: (batch: ListedBatch) => blockOf(batch, context) };
  }
  const table = createTable(
    TITLES.map((title, i) => ({ title, width: widths[i] ?? 0, right: title === 'ROWS' })),
  );
  return {
    header: table.header(),
    textOf: (batch: ListedBatch) =>
      cellsOf(batch, clock)
        .map(([id = '', state = '', ...others]) => {
          const paint = (text: string): string => paintState(batch.state, text, colours);
          return table.row([id, { text: state, paint }, ...others]);
        })
        .join('\n'),
  };
}

const TITLES = ['BATCH', 'STATE', 'ROWS', 'TOTAL', 'SUBMITTED'] as const;
/** Between two columns. */
const GAP = 2;

/** A line for each total; all but the first have nothing else. */
function cellsOf(batch: ListedBatch, clock: Context['clock']): string[][] {
  const [first = '', ...more] = totalTexts(batch);
  const { batchId, state, rows, submittedAt } = batch;
  return [
    [
      batchId,
      batchStateWords(state),
      rows === null ? '-' : withCommas(rows),
      first,
      submittedAt === null ? '-' : instantText(submittedAt, clock),
    ],
    ...more.map((total) => ['', '', '', total]),
  ];
}

function blockOf(batch: ListedBatch, { clock, colours }: Context): string {
  const { batchId, state, rows, submittedAt } = batch;
  return [
    `${batchId}  ${paintState(state, batchStateWords(state), colours)}`,
    ...(rows === null ? [] : [`  ${rowsInWords(rows)}`]),
    ...totalTexts(batch).map((total) => `  ${total}`),
    ...(submittedAt === null ? [] : [`  ${instantText(submittedAt, clock)}`]),
  ].join('\n');
}

const totalTexts = ({ totals }: ListedBatch): string[] =>
  totals.map(({ total, currency }) => printable(moneyText(total, currency)));
