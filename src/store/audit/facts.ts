import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { canonicalJson } from '../../domain/audit/chain.ts';
import type { RecordFacts } from '../../domain/audit/facts.ts';
import type { Schema } from '../database/schema.ts';

/** SHA-256 of a text, lowercase hex; the engine of Node.js is many times as fast as a pure one. */
export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

const hashOrNull = (text: string | null): string | null => (text === null ? null : sha256(text));

type Columns = Readonly<Record<string, string | number | null>>;

/** Without the columns that are part of the record's name, and without nulls: a missing column counts as null. */
const recordFacts = (columns: Columns, inName: readonly string[] = []): RecordFacts =>
  Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => value !== null && !inName.includes(name)),
  );

/** Names of records within their batch, as the facts of entries have them. */
export const NAMES = {
  batch: 'batch',
  reading: 'reading',
  chunk: (chunk: number) => `chunk ${chunk}`,
  intent: (chunk: number) => `intent ${chunk}`,
  attempt: (chunk: number, n: number) => `attempt ${chunk}/${n}`,
  lookup: (chunk: number, n: number) => `lookup ${chunk}/${n}`,
  hold: (n: number) => `hold ${n}`,
  change: (seq: number) => `change ${seq}`,
  version: (version: number) => `version ${version}`,
  approval: (row: ApprovalName) =>
    `approval ${row.decision} ${row.person} ${row.issued_at} ${row.subject}`,
};

type ApprovalName = Pick<Schema['approval'], 'decision' | 'person' | 'issued_at' | 'subject'>;

export const batchFacts = (row: Schema['batch']): RecordFacts =>
  recordFacts(
    {
      ...row,
      options_json: sha256(row.options_json),
      summary_json: hashOrNull(row.summary_json),
      findings_json: hashOrNull(row.findings_json),
      fees_json: hashOrNull(row.fees_json),
      error_json: hashOrNull(row.error_json),
      rules_json: hashOrNull(row.rules_json),
      canceled_json: hashOrNull(row.canceled_json),
    },
    ['batch_id'],
  );

/**
 * The columns of a chunk that the log holds. They are read twice for each send, and more columns would only cost time.
 */
export const CHUNK_COLUMNS = [
  'state',
  'attention_reason',
  'answer_json',
  'mass_payout_id',
  'differences_json',
  'mass_state',
  'fee',
  'default_outcome',
  'default_reason',
  'final',
  'payout_fingerprint',
  'reopened',
  'resend_block_json',
  'other_payouts_json',
  'verified_epoch',
  'verified_by',
] as const;

export type ToldChunk = Pick<Schema['chunk'], (typeof CHUNK_COLUMNS)[number]>;

/**
 * The names of facts are those of the first version, whatever the columns are called: stored entries have them, and `verify`
 * compares them.
 *
 * The decisions about a chunk and their results. The plan names its rows, and the time of following decides nothing.
 * The state of a mass payout on its way changes without a decision.
 */
export const chunkFacts = (row: ToldChunk): RecordFacts =>
  recordFacts({
    state: row.state,
    attention: row.state === 'NEEDS_OPERATOR' ? row.attention_reason : null,
    answer_json: hashOrNull(row.answer_json),
    mass_payout_id: row.mass_payout_id,
    differences_json: hashOrNull(row.differences_json),
    mass_state: row.final === 1 ? row.mass_state : null,
    fee: row.final === 1 ? row.fee : null,
    rest_outcome: row.default_outcome,
    rest_reason: row.default_reason,
    final: row.final,
    said: row.payout_fingerprint,
    reopened: row.reopened,
    barred_json: hashOrNull(row.resend_block_json),
    other_payouts_json: row.other_payouts_json,
    verified_epoch: row.verified_epoch,
    verified_by: row.verified_by,
  });

/** The outcomes of single rows of a chunk, by row number, as one fact of the chunk. */
export const verdictsFact = (rows: readonly Schema['row_outcome'][]): RecordFacts =>
  rows.length === 0
    ? {}
    : { row_verdicts: rows.length, row_verdicts_sha256: sha256(rows.map(verdictLine).join('\n')) };

const verdictLine = (row: Schema['row_outcome']): string =>
  canonicalJson(recordFacts(row, ['batch_id']));

/** A chunk of which nothing was decided yet. */
export const PLANNED_CHUNK: RecordFacts = {
  state: 'PLANNED',
  rest_outcome: 'IN_FLIGHT',
  rest_reason: '',
  final: 0,
  reopened: 0,
};

/** A chunk that was closed before anything was sent. */
export const unsentFacts = (reason: string): RecordFacts => ({
  state: 'NOT_SENT',
  rest_outcome: 'NOT_SENT',
  rest_reason: reason,
  final: 1,
});

export const intentFacts = ({
  payload_sha256,
  created_at_ms,
}: Pick<Schema['intent'], 'payload_sha256' | 'created_at_ms'>): RecordFacts => ({
  payload_sha256,
  created_at_ms,
});

export const attemptFacts = (row: Schema['attempt']): RecordFacts =>
  recordFacts(row, ['idempotency_key', 'n']);

export const lookupFacts = (row: Schema['lookup']): RecordFacts =>
  recordFacts(row, ['idempotency_key', 'n']);

export const approvalFacts = ({
  approval_json,
  at_ms,
}: Pick<Schema['approval'], 'approval_json' | 'at_ms'>): RecordFacts => ({
  approval_json: sha256(approval_json),
  at_ms,
});

export const holdFacts = (row: Schema['hold']): RecordFacts =>
  recordFacts({ ...row, facts_json: sha256(row.facts_json) }, ['batch_id', 'n']);

export const changeFacts = (row: Selectable<Schema['recheck_change']>): RecordFacts =>
  recordFacts({ ...row, detail_json: sha256(row.detail_json) }, ['batch_id', 'seq']);

export const versionFacts = ({
  at_ms,
  state,
}: Pick<Schema['report_version'], 'at_ms' | 'state'>): RecordFacts => ({ at_ms, state });

type Staged = Omit<Schema['staged_chunk'], 'ingest_id' | 'rows'>;

/** The rows that were taken from a file, and those that were refused, as one record. */
export const readingFacts = (staged: readonly Staged[], refusedSha256: string): RecordFacts => ({
  chunks: staged.length,
  rows_sha256: sha256(staged.map(stagedLine).join('\n')),
  refused_sha256: refusedSha256,
});

const stagedLine = (row: Staged): string =>
  [
    ...[row.chunk, row.currency, row.row_count, row.total],
    ...[row.first_row, row.last_row, row.rows_sha256],
  ].join(' ');
