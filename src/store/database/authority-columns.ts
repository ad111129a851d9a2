/** The columns by which signed statements decide. Released: never edited. */
export const AUTHORITY_COLUMNS: readonly string[] = [
  'alter table batch add column planned_at_ms bigint',
  'alter table hold add column release_basis text',
  'alter table schedule add column statement_json text',
];
