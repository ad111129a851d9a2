import type { OperatorSchema } from './operator-schema.ts';

/** Columns of every table. Amounts are canonical decimal text, instants milliseconds since 1970, flags 0 or 1. */
export type Schema = OperatorSchema & {
  batch: BatchTable;
  staged_chunk: StagedChunkTable;
  refused_row: RefusedRowTable;
  chunk: ChunkTable;
  intent: IntentTable;
  attempt: AttemptTable;
  lookup: LookupTable;
  row_outcome: RowOutcomeTable;
  withdrawal_lookup: WithdrawalLookupTable;
  lookup_verification: LookupVerificationTable;
  lookup_operation: LookupOperationTable;
  lookup_disproof: LookupDisproofTable;
  spool: SpoolTable;
  pace: PaceTable;
  create_lease: CreateLeaseTable;
  headroom: HeadroomTable;
};

type BatchTable = {
  batch_id: string;
  /** Short name in row tags; unique, so that a tag never names rows of two batches. */
  code: string;
  account_ref: string;
  account: string;
  file_name: string;
  file_sha256: string;
  submitted_by: string;
  submitted_at_ms: number;
  options_json: string;
  generation: number;
  parent_batch_id: string | null;
  /** The import that counts; imports that were cut off are never read. */
  ingest_id: string | null;
  summary_json: string | null;
  content_sha256: string | null;
  digest: string | null;
  findings_json: string | null;
  fees_json: string | null;
  end_state: string | null;
  ended_at_ms: number | null;
  error_json: string | null;
  /** Names its rows in any order; see domain/plan/row-print.ts. */
  row_set: string | null;
  /** The house rules of its plan. */
  rules_json: string | null;
  /** When its plan was written down; null: before it has one, and where the plan is older than signed submissions. */
  planned_at_ms: number | null;
  /** When it was allowed to pay; until then nothing of it is sent. */
  released_at_ms: number | null;
  /** Who stopped it, and why. */
  canceled_json: string | null;
  /** Grows with every report that differs from the one before. */
  report_version: number;
  /** Chunks of one partition of its workflow; null before its plan, and in plans of older workers, which have 100. */
  partition_chunks: number | null;
  /** When its rows and payloads were removed; null: they are there, or it has none. */
  pruned_at_ms: number | null;
  /** When its files were removed, too; null: they were not, or a prune was cut off. */
  prune_ended_at_ms: number | null;
};

type StagedChunkTable = {
  ingest_id: string;
  chunk: number;
  currency: string;
  row_count: number;
  total: string;
  first_row: number;
  last_row: number;
  rows_sha256: string;
  rows: string;
};

type RefusedRowTable = {
  ingest_id: string;
  seq: number;
  row: number;
  column_name: string;
  code: string;
  facts_json: string;
  value: string;
  amount: string | null;
  currency: string | null;
};

type ChunkTable = {
  batch_id: string;
  chunk: number;
  currency: string;
  row_count: number;
  total: string;
  first_row: number;
  last_row: number;
  idempotency_key: string;
  external_id: string;
  state: string;
  attention_reason: string | null;
  attention_since_ms: number | null;
  answer_json: string | null;
  mass_payout_id: string | null;
  /** JSON list of the differences between intent and mass payout; null while it was not compared. */
  differences_json: string | null;
  mass_state: string | null;
  fee: string | null;
  default_outcome: string;
  default_reason: string;
  final: number;
  /** When the mass payout was first seen at an end whose withdrawals are not clear yet. */
  unclear_since_ms: number | null;
  /**
   * The fingerprint of the mass payout when its rows got their outcomes, as a hash; null while open, and at an end that people cannot
   * change.
   */
  payout_fingerprint: string | null;
  /** How often an end was taken back. */
  reopened: number;
  /** Since when the mass payout is followed, has its state, and cannot be read; see domain/settling/payout-times.ts. */
  open_since_ms: number | null;
  state_since_ms: number | null;
  unreadable_since_ms: number | null;
  /** Why nothing more of a resend's chunk may leave: rows of it proved not to be unpaid. As JSON; see store/recheck/resend-blocks.ts. */
  resend_block_json: string | null;
  /** JSON list of the ids of further mass payouts that the service showed for it; null: none. */
  other_payouts_json: string | null;
  /** The restore in which it was verified that the store lacks no send of it, and by what: LOOKUPS, REFUSAL, ATTEMPT, PERSON. */
  verified_epoch: number | null;
  verified_by: string | null;
};

type IntentTable = {
  idempotency_key: string;
  payload: string;
  payload_sha256: string;
  created_at_ms: number;
};

type AttemptTable = {
  idempotency_key: string;
  n: number;
  timestamp_ms: number;
  body_sha256: string;
  outcome: string;
  ended_ms: number | null;
  http_status: number | null;
  error_code: string | null;
  trace_id: string | null;
  retry_after_ms: number | null;
  /** A reading of the clock with that id, which never jumps. */
  clock_id: string | null;
  clock_ms: number | null;
  /** The id of the attempt on the unsent list of its process. */
  unsent_id: string | null;
};

type LookupTable = {
  idempotency_key: string;
  at_ms: number;
  attempts: number;
  result: string;
  server_date_ms: number | null;
  clock_id: string | null;
  clock_ms: number | null;
  elapsed_ms: number | null;
  /** The number of the last restore when the question was put; null: never. */
  epoch: number | null;
  /** Counts the lookups of the key from 1. */
  n: number | null;
};

type RowOutcomeTable = {
  batch_id: string;
  row: number;
  chunk: number;
  outcome: string;
  reason: string;
  amount: string;
  withdrawal_id: string | null;
  transaction_hash: string | null;
  fee: string | null;
  fee_currency: string | null;
};

type WithdrawalLookupTable = {
  batch_id: string;
  chunk: number;
  withdrawal_id: string;
  lookup_json: string;
  /** The fingerprint of the withdrawal in the mass payout at the lookup, as a hash. */
  withdrawal_fingerprint: string;
  /** When the lookup was sent. */
  at_ms: number;
  /** How many lookups in a row got no answer. */
  failures: number;
};

type LookupVerificationTable = {
  account: string;
  base_url: string;
  operation: string;
  lag_ms: number;
  verified_at_ms: number;
};

/** The results of an operation that looks up keys. */
type LookupOperationTable = {
  account: string;
  base_url: string;
  operation: string;
  /** When it first answered readably, with a record or a miss. */
  answered_at_ms: number;
  /** When it first found a mass payout by its key; null: never, or its last results were contradicted. */
  found_at_ms: number | null;
};

/** Contradictions between answers of a service about one chunk. A row is never removed. */
type LookupDisproofTable = {
  account: string;
  base_url: string;
  batch_id: string;
  chunk: number;
  reason: string;
  at_ms: number;
};

type SpoolTable = {
  /** Grows with every webhook that was taken. */
  seq: import('kysely').Generated<number>;
  received_at_ms: number;
  body_sha256: string;
  body: Uint8Array;
  /** WAITING, FORWARDED (a batch was notified), IGNORED (it names nothing of ours). */
  state: string;
  settled_at_ms: number | null;
};

/** Rows and amounts of a batch with a stop loss that are under way or lost, by currency. Kept with its chunks, from its first attempt to its end. */
type HeadroomTable = {
  batch_id: string;
  currency: string;
  /** Rows of the batch in this currency. */
  batch_rows: number;
  under_way_rows: number;
  under_way_amount: string;
  lost_rows: number;
  lost_amount: string;
};

type PaceTable = {
  account: string;
  /** Begin of the slot that was taken last. */
  slot_ms: number;
  /** When requests may leave again after the service has named a time; null: it has named none. */
  retry_at_ms: number | null;
};

type CreateLeaseTable = {
  lease_id: string;
  account: string;
  /** When it ends, unless its holder has given it back before. */
  until_ms: number;
};
