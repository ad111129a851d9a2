import { CHAIN_START, type ChainedEntry, type ChainHead } from '../../domain/audit/chain.ts';
import type { OlderStoreNote } from '../../domain/approval/older-store.ts';
import { createLedger, type Ledger } from '../../domain/audit/facts.ts';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import { NAMES } from '../../store/audit/facts.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import { REPORT_WRITTEN } from '../write-ended.ts';
import type { Problems } from './problems.ts';

/** A report as it was written: its version, and the SHA-256 of each file by its name. */
export type WrittenFiles = Readonly<{ version: number; files: Readonly<Record<string, string>> }>;

/** What the audit log tells of a batch. */
export type LogOfBatch = Readonly<{
  head: ChainHead;
  /** Entries about the batch. */
  entries: number;
  /** Whether the log tells of the batch from its beginning: then it tells of every record. */
  isComplete: boolean;
  ledger: Ledger;
  reports: readonly WrittenFiles[];
  /** What people said of the store, for all batches. */
  olderNotes: readonly OlderStoreNote[];
}>;

/** Entries among which the one must be that a statement about the store names: other programs write meanwhile. */
const HEADS = 100;

/**
 * Walks through the whole log: it is one chain over all batches, so that not even a whole batch can be taken out of it. Each
 * mark must name the entry that stands there.
 */
export async function checkLog(
  { audit }: Store,
  { batchId, quoted }: Readonly<{ batchId: string; quoted: readonly QuotedMark[] }>,
  problems: Problems,
): Promise<LogOfBatch> {
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
    if (heads.push(entry.hash) > HEADS) heads.shift();
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

/** The engine writes the same entry when the service shows that the store is an older copy. That needs no person. */
const isOlderNote = ({ action, actor }: ChainedEntry): boolean =>
  action === 'store-older' && actor !== ENGINE;

function olderNote(
  { seq, atMs, detail: { subject } }: ChainedEntry,
  heads: readonly string[],
): OlderStoreNote {
  return { seq, atMs, subject: typeof subject === 'string' ? subject : null, heads };
}

/** An entry that was changed into something else is a problem of the chain already. */
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
