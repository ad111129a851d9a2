import { changesOf, isEmpty, type Ledger, type RecordFacts } from '../../domain/audit/facts.ts';
import { PLANNED_CHUNK, sha256 } from '../../store/audit/facts.ts';
import type { KeptRecord } from '../../store/audit/records.ts';
import type { Store } from '../../store/index.ts';
import type { Problems } from './problems.ts';

/** Records of a batch that were held against the log, by their kind. */
export type RecordCounts = Readonly<Record<string, number>>;

export type Checking = Readonly<{
  batchId: string;
  ledger: Ledger;
  /** Whether the log tells of everything; of a batch that is older only what it tells of is held against the records. */
  isComplete: boolean;
}>;

/** Holds every record of a batch against what the log tells of it, and the log against the records. */
export async function checkRecords(
  { records }: Store,
  checking: Checking,
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
  { ledger, isComplete }: Checking,
  { name: record, facts, payload }: KeptRecord,
  problems: Problems,
): void {
  const { facts: told, seq } = ledger.take(record) ?? { facts: {}, seq: 0 };
  const changed = isComplete
    ? changesOf({ ...beginningOf(record), ...told }, facts)
    : changesOf(told, onlyTold(told, facts));
  if (!isEmpty(changed)) {
    const columns = Object.keys(changed).sort().join(', ');
    if (seq === 0) problems.add('RECORD_UNTOLD', { record });
    else problems.add('RECORD_CHANGED', { record, columns, seq });
  }
  if (payload !== undefined && sha256(payload) !== facts['payload_sha256']) {
    problems.add('RECORD_CHANGED', { record, columns: 'payload', seq });
  }
}

/** The plan makes chunks, all alike, and the log tells of each what was changed since; of all else it tells the beginning. */
const beginningOf = (record: string): RecordFacts =>
  record.startsWith('chunk ') ? PLANNED_CHUNK : {};

const onlyTold = (told: RecordFacts, facts: RecordFacts): RecordFacts =>
  Object.fromEntries(Object.keys(told).map((column) => [column, facts[column] ?? null]));
