import { CHAIN_START, type ChainedEntry, type ChainHead } from '../../domain/audit/chain.ts';
import type { OlderStoreNote } from '../../domain/approval/older-store.ts';
import { createLedger, type Ledger } from '../../domain/audit/facts.ts';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import { NAMES } from '../../store/audit/facts.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import { REPORT_WRITTEN } from '../write-batch-report.ts';
import type { Problems } from './problems.ts';

/** The audit entry of a written report: its version, and the SHA-256 of each file by name. */
export type WrittenFiles = Readonly<{ version: number; files: Readonly<Record<string, string>> }>;

/** The content of the audit log about a batch. */
export type BatchLog = Readonly<{
  head: ChainHead;
  /** Number of entries about the batch. */
  entries: number;
  /** Whether the log covers the batch from its beginning, and so every record. */
  isComplete: boolean;
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
 * Reads the whole log and checks its chain of hashes.
 * The chain covers all batches, so that the removal of one whole batch also breaks it.
 * Each quoted mark must match the entry with its number.
 */
export async function checkLog(
  { audit }: Store,
  { batchId, quoted }: Readonly<{ batchId: string; quoted: readonly QuotedMark[] }>,
  problems: Problems,
): Promise<BatchLog> {
  const ledger = createLedger();
  const reports: WrittenFiles[] = [];
  const olderNotes: OlderStoreNote[] = [];
  const heads: string[] = [];
  const found = new Map<number, string>();
  let head = CHAIN_START;
  let entries = 0;
  let isComplete = false;
  for await (const { entry, problem } of audit.walk()) {
    if (problem !== null) problems.add('AUDIT_BROKEN', { seq: String(entry.seq), problem });
    head = { seq: entry.seq, hash: entry.hash };
    if (isOlderNote(entry)) olderNotes.push(olderNote(entry, [...heads]));
    if (heads.push(entry.hash) > RECENT_HEADS_MAX) heads.shift();
    if (quoted.some((mark) => mark.entries === entry.seq)) found.set(entry.seq, entry.hash);
    if (entry.batchId !== batchId) continue;
    entries += 1;
    if (entry.facts?.[NAMES.batch]?.['file_sha256'] !== undefined) isComplete = true;
    ledger.add(entry.seq, entry.facts ?? {});
    if (entry.action === REPORT_WRITTEN) reports.push(writtenFiles(entry));
  }
  for (const mark of quoted) checkMark(mark, { found, head }, problems);
  return { head, entries, isComplete, ledger, reports, olderNotes };
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

/** Returns the files of a report entry. A malformed entry is already a problem of the chain. */
function writtenFiles({ detail }: ChainedEntry): WrittenFiles {
  const { version, files } = detail as Partial<WrittenFiles>;
  return { version: version ?? 0, files: files ?? {} };
}

function checkMark(
  { source, entries, hash }: QuotedMark,
  { found, head }: Readonly<{ found: ReadonlyMap<number, string>; head: ChainHead }>,
  problems: Problems,
): void {
  if (entries > head.seq) problems.add('AUDIT_CUT', { source, entries, found: head.seq });
  else if (found.get(entries) !== hash) problems.add('AUDIT_OTHER', { source, entries });
}
