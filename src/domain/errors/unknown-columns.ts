import type { RowColumn } from '../rows/row.ts';
import type { FileQuestion } from './file-question.ts';

/**
 * A column of a merchant's file without a known name, and the column that it may be. `name`: that in the file;
 * `shown`: the same for a message.
 */
export type UnknownColumn = Readonly<{ name: string; shown: string; suggestion?: RowColumn }>;

/** Columns as the facts of an error: their names, the next step for each, and the question for a program. */
export const unknownColumnFacts = (
  columns: readonly UnknownColumn[],
): Readonly<{ columns: string; advice: string; asks: FileQuestion }> => ({
  columns: columns.map(({ shown }) => `"${shown}"`).join(', '),
  advice: columns.map(adviceOn).join(' '),
  asks: {
    columns: columns.map(({ name, suggestion }) => ({
      name,
      ...(suggestion === undefined ? {} : { suggestion }),
    })),
  },
});

const adviceOn = ({ shown, suggestion }: UnknownColumn): string =>
  suggestion === undefined
    ? `Remove "${shown}", or leave it out with --ignore-column "${shown}".`
    : `Is "${shown}" the ${suggestion}? Then rename it, or give --column ${suggestion}="${shown}".`;
