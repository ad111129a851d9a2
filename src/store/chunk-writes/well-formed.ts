/**
 * The same row with U+FFFD in place of half surrogates, as the driver stores them. So the audit log has the text that the
 * store has.
 */
export function wellFormed<Row extends object>(row: Row): Row {
  const cells = Object.entries(row).map(([column, cell]) => [column, wellFormedCell(cell)]);
  return Object.fromEntries(cells) as Row;
}

const wellFormedCell = (cell: unknown): unknown =>
  typeof cell === 'string' ? wellFormedText(cell) : cell;

/** A text as the driver stores it. */
export const wellFormedText = (text: string): string => text.replace(HALF_SURROGATE, '\uFFFD');

const HALF_SURROGATE = /\p{Surrogate}/gu;
