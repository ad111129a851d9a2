/**
 * Names of tables and columns as the glossary has them. `lease` was never used. Released: never edited.
 * The audit log keeps the names of facts that it had (`store/audit/facts.ts`).
 */
export const NAMES_OF_FIELD: readonly string[] = [
  'alter table row_verdict rename to row_outcome',
  'alter table row_print rename column prints to fingerprints',
  'alter table row_print rename to row_fingerprint',
  'alter table withdrawal_look rename column look_json to lookup_json',
  'alter table withdrawal_look rename column said to withdrawal_fingerprint',
  'alter table withdrawal_look rename to withdrawal_lookup',
  'alter table late_change rename to recheck_change',
  'alter table lookup_proof rename column proven_at_ms to verified_at_ms',
  'alter table lookup_proof rename to lookup_verification',
  'alter table chunk rename column rest_outcome to default_outcome',
  'alter table chunk rename column rest_reason to default_reason',
  'alter table chunk rename column said to payout_fingerprint',
  'alter table chunk rename column barred_json to resend_block_json',
  'alter table chunk rename column unread_since_ms to unreadable_since_ms',
  'alter table schedule rename column watched_until_ms to checked_until_ms',
  'alter table watch rename column subject to name',
  'alter table watch rename to health_check',
  'drop table lease',
];
