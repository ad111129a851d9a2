import { changesOf, isEmpty, type Ledger, type RecordFacts } from '../../domain/audit/facts.ts';
import { NAMES, PLANNED_CHUNK, sha256 } from '../../store/audit/facts.ts';
import type { KeptRecord } from '../../store/audit/records.ts';
import type { StoreParts } from '../../store/index.ts';
import type { Problems } from './problems.ts';

/** Numbers of checked records, by kind. */
export type RecordCounts = Readonly<Record<string, number>>;

export type RecordCheck = Readonly<{
  batchId: string;
  ledger: Ledger;
  /**
   * Whether the log covers every record. For an older batch, only columns in the log are compared.
   */
  isComplete: boolean;
  /** Whether a prune removed its payloads and the values of its refused rows. */
  isPruned: boolean;
}>;

/** Compares every record of a batch with the audit log, in both directions. */
export async function checkRecords(
  { records }: StoreParts,
  checking: RecordCheck,
  problems: Problems,
): Promise<RecordCounts> {
  const counts: Record<string, number> = {};
  for await (const kept of records.ofBatch(checking.batchId)) {
    const [kind = ''] = kept.name.split(' ');
    counts[kind] = (counts[kind] ?? 0) + 1;
    checkRecord(checking, kept, problems);
  }
  for (const [record, { seq }] of checking.ledger.rest()) {
    problems.add('RECORD_GONE', { record, seq });
  }
  return counts;
}

function checkRecord(
  { ledger, isComplete, isPruned }: RecordCheck,
  { name: record, facts: kept, payload }: KeptRecord,
  problems: Problems,
): void {
  const { facts: logged, seq } = ledger.take(record) ?? { facts: {}, seq: 0 };
  const facts = isPruned && record === NAMES.reading ? withDigest(kept, logged) : kept;
  const changed = isComplete
    ? changesOf({ ...initialFactsOf(record), ...logged }, facts)
    : changesOf(logged, onlyLogged(logged, facts));
  if (!isEmpty(changed)) {
    const columns = Object.keys(changed).sort().join(', ');
    if (seq === 0) problems.add('RECORD_UNTOLD', { record });
    else problems.add('RECORD_CHANGED', { record, columns, seq });
  }
  if (isPruned && payload === '') return;
  if (payload !== undefined && sha256(payload) !== facts['payload_sha256']) {
    problems.add('RECORD_CHANGED', { record, columns: 'payload', seq });
  }
}

/** The import of a pruned batch: only the log has the digest of its refused rows. */
const withDigest = (kept: RecordFacts, logged: RecordFacts): RecordFacts => ({
  ...kept,
  refused_sha256: logged['refused_sha256'] ?? null,
});

/**
 * The facts of a record before its first entry in the log.
 * The plan makes all chunks alike without an entry for each. Other records begin with an entry.
 */
const initialFactsOf = (record: string): RecordFacts =>
  record.startsWith('chunk ') ? PLANNED_CHUNK : {};

const onlyLogged = (logged: RecordFacts, facts: RecordFacts): RecordFacts =>
  Object.fromEntries(Object.keys(logged).map((column) => [column, facts[column] ?? null]));
