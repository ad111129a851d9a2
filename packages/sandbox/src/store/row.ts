/** What a row of SQLite says; null when there is none. */
export const rowOrNull = <Row, Said>(row: unknown, read: (row: Row) => Said): Said | null =>
  row === undefined ? null : read(row as Row);
