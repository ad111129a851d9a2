/** Reads a row of SQLite, and returns null when there is none. */
export const rowOrNull = <Row, Record>(row: unknown, read: (row: Row) => Record): Record | null =>
  row === undefined ? null : read(row as Row);
