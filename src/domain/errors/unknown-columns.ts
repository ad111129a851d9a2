import type { RowColumn } from '../rows/row.ts';

/** A column of a merchant's file without a known name, and the column that it may be. */
export type UnknownColumn = Readonly<{ name: string; suggestion?: RowColumn }>;

/** Columns as the facts of an error: their names, and the next step for each. */
export const unknownColumnFacts = (
  columns: readonly UnknownColumn[],
): Readonly<{ columns: string; advice: string }> => ({
  columns: columns.map(({ name }) => `"${name}"`).join(', '),
  advice: columns.map(adviceOn).join(' '),
});

const adviceOn = ({ name, suggestion }: UnknownColumn): string =>
  suggestion === undefined
    ? `Remove "${name}", or leave it out with --ignore-column "${name}".`
    : `Is "${name}" the ${suggestion}? Then rename it, or give --column ${suggestion}="${name}".`;
