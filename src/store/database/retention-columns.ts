/** When the rows of a batch were removed, and when its files were, too. */
export const RETENTION_COLUMNS: readonly string[] = [
  'alter table batch add column pruned_at_ms bigint',
  'alter table batch add column prune_ended_at_ms bigint',
];
