import { CHAIN_START, type ChainedEntry, type ChainHead } from '../../domain/audit/chain.ts';
import { OLDER_STORE, type OlderStoreNote } from '../../domain/approval/older-store.ts';
import { createLedger, type Ledger } from '../../domain/audit/facts.ts';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import {
  REPORT_WRITTEN,
  type WrittenFiles,
  writtenFilesOf,
} from '../../domain/report/written-report.ts';
import { NAMES } from '../../store/audit/facts.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { StoreParts } from '../../store/index.ts';
import type { Problems } from './problems.ts';

/** The content of the audit log about a batch. */
export type BatchLog = Readonly<{
  /** The newest entry about the batch. */
  head: ChainHead;
  /** Number of checked entries of all chains. */
  all: number;
  /** Number of entries about the batch. */
  entries: number;
  /** Whether the log covers the batch from its beginning, and so every record. */
  isComplete: boolean;
  /** Whether its rows were removed by a prune. */
  isPruned: boolean;
  ledger: Ledger;
  reports: readonly WrittenFiles[];
  /** Statements of people that the store is an older copy, for all batches. */
  olderNotes: readonly OlderStoreNote[];
}>;

/**
 * A statement about the store names one of this many last entries, as other programs also write.
 */
const RECENT_HEADS_MAX = 100;

/**
 * Reads the entries about a batch, and the statements about the store. Checks their chains, the store chain, which has
 * their heads, and the first chain.
 * Each quoted mark must match the entry with its number, of any chain.
 */
export async function checkLog(
  { audit }: StoreParts,
  { batchId, quoted }: Readonly<{ batchId: string; quoted: readonly QuotedMark[] }>,
  problems: Problems,
): Promise<BatchLog> {
  const ledger = createLedger();
  const reports: WrittenFiles[] = [];
  const olderNotes: OlderStoreNote[] = [];
  let head = CHAIN_START;
  let all = 0;
  let entries = 0;
  let isComplete = false;
  let isPruned = false;
  for await (const { entry, seq, problem } of audit.walk([batchId, OLDER_STORE])) {
    if (problem !== null) problems.add('AUDIT_BROKEN', { seq: String(seq), problem });
    if (entry === null) continue;
    all += 1;
    if (isOlderNote(entry)) {
      const heads = await audit.writtenHashes(seq - RECENT_HEADS_MAX, seq - 1);
      olderNotes.push(olderNote(entry, [...heads.values()]));
    }
    if (entry.batchId !== batchId) continue;
    entries += 1;
    head = { seq, hash: entry.hash };
    if (entry.facts?.[NAMES.batch]?.['file_sha256'] !== undefined) isComplete = true;
    if (entry.facts?.[NAMES.batch]?.['pruned_at_ms'] !== undefined) isPruned = true;
    ledger.add(seq, entry.facts ?? {});
    if (entry.action === REPORT_WRITTEN) reports.push(writtenFilesOf(entry));
  }
  for (const mark of quoted) await checkMark(audit, mark, problems);
  return { head, all, entries, isComplete, isPruned, ledger, reports, olderNotes };
}

/** Whether a person stated that the store is an older copy. The engine also writes this action. */
const isOlderNote = ({ action, actor }: ChainedEntry): boolean =>
  action === 'store-older' && actor !== ENGINE;

function olderNote(
  { seq, atMs, detail: { subject } }: ChainedEntry,
  heads: readonly string[],
): OlderStoreNote {
  return { seq, atMs, subject: typeof subject === 'string' ? subject : null, heads };
}

/** Compares an entry that is kept elsewhere with the entry of its number, of any chain. */
export async function checkMark(
  audit: StoreParts['audit'],
  { source, entries, hash }: QuotedMark,
  problems: Problems,
): Promise<void> {
  const { seq: found } = await audit.head();
  const [entry] = await audit.list({ afterSeq: entries - 1, limit: 1 });
  const written = await audit.writtenHashes(entries, entries);
  if (entry?.seq !== entries) problems.add('AUDIT_CUT', { source, entries, found });
  else if (written.get(entries) !== hash) problems.add('AUDIT_OTHER', { source, entries });
}
