import type { BatchRecord, Canceled, NewBatch } from './types.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { BatchFees } from '../../domain/fees/batch-fees.ts';
import type { Finding } from '../../domain/plan/finding.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import type { Schema } from '../database/schema.ts';

/** The row of a batch that was just submitted. `canceledJson`: the cancel that came before it; null when there is none. */
export const toRow = (batch: NewBatch, canceledJson: string | null): Schema['batch'] => ({
  batch_id: batch.batchId,
  code: batch.code,
  account_ref: batch.accountRef,
  account: batch.account,
  file_name: batch.fileName,
  file_sha256: batch.fileSha256,
  submitted_by: batch.submittedBy,
  submitted_at_ms: batch.submittedAtMs,
  options_json: batch.optionsJson,
  generation: batch.generation,
  parent_batch_id: batch.parentBatchId,
  ingest_id: null,
  summary_json: null,
  content_sha256: null,
  row_set: null,
  digest: null,
  findings_json: null,
  rules_json: null,
  fees_json: null,
  planned_at_ms: null,
  released_at_ms: null,
  canceled_json: canceledJson,
  end_state: null,
  ended_at_ms: null,
  error_json: null,
  report_version: 0,
  partition_chunks: null,
  pruned_at_ms: null,
  prune_ended_at_ms: null,
});

/** The record of a batch from its row. */
export const toRecord = (row: Schema['batch']): BatchRecord => ({
  batchId: row.batch_id,
  code: row.code,
  accountRef: row.account_ref,
  account: row.account,
  fileName: row.file_name,
  fileSha256: row.file_sha256,
  submittedBy: row.submitted_by,
  submittedAtMs: row.submitted_at_ms,
  optionsJson: row.options_json,
  generation: row.generation,
  parentBatchId: row.parent_batch_id,
  ingestId: row.ingest_id,
  summary: readJson<IngestSummary>(row.summary_json),
  digest: row.digest,
  findings: readJson<Finding[]>(row.findings_json) ?? [],
  fees: readJson<BatchFees>(row.fees_json),
  endState: row.end_state as EndState | null,
  endedAtMs: row.ended_at_ms,
  error: readJson<ErrorNote>(row.error_json),
  rules: readJson<HouseRules>(row.rules_json),
  releasedAtMs: row.released_at_ms,
  canceled: readJson<Canceled>(row.canceled_json),
  reportVersion: row.report_version,
  partitionChunks: row.partition_chunks,
  prunedAtMs: row.pruned_at_ms,
});

/** The value of a JSON column; null where it holds none. */
export const readJson = <T>(text: string | null): T | null =>
  text === null ? null : (JSON.parse(text) as T);
