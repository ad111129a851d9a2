import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type ChainedEntry, CHAIN_START, type ChainHead } from '../../domain/audit/chain.ts';
import { createLogCheck } from '../../domain/audit/log-check.ts';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import { BursarError, type ErrorNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import {
  REPORT_WRITTEN,
  type WrittenFiles,
  writtenFilesOf,
} from '../../domain/report/written-report.ts';
import { checkCopy, type Files, type OpenCopy } from '../../files/index.ts';
import { createProblems, type Problems } from '../../report/verify/problems.ts';
import { NAMES } from '../../store/audit/facts.ts';
import { ARCHIVE_FILES, AUDIT_FILE, SUBMITTED_FILE } from './archive-files.ts';

/** The result of checking an archive without a store. */
export type ArchiveCheck = Readonly<{
  batchId: string;
  result: 'PROVEN' | 'TAMPERED';
  files: number;
  entries: number;
  /** The newest entry about the batch. */
  head: ChainHead;
  problems: readonly ErrorNote[];
}>;

export type ArchiveToCheck = Readonly<{ batchId: string; head: QuotedMark | null }>;

/**
 * Checks an archive by itself: the chain of its batch and the store chain with the heads, the submitted file against the entry that
 * took it, and each file of the report against the newest entry of a report. @throws PUBLISHED_MISSING without an archive
 */
export async function checkArchive(from: Files, asked: ArchiveToCheck): Promise<ArchiveCheck> {
  const { batchId } = asked;
  const problems = createProblems();
  const log = await checkEntries(await from.openPublished(batchId, AUDIT_FILE), asked, problems);
  const { file, reports, entries, head } = log;
  let files = 1;
  for (const name of ARCHIVE_FILES.filter((one) => one !== AUDIT_FILE)) {
    const found = await hashIn(from, batchId, name);
    if (found !== undefined) files += 1;
    if (name === SUBMITTED_FILE) checkSubmitted(file, found, problems);
    else checkReported({ name, found, reports }, problems);
  }
  const result = problems.count() === 0 ? 'PROVEN' : 'TAMPERED';
  return { batchId, result, files, entries, head, problems: problems.listed() };
}

function checkSubmitted(
  sha256: string | undefined,
  found: string | undefined,
  problems: Problems,
): void {
  if (found === undefined) problems.add('FILE_COPY_GONE', { sha256: sha256 ?? '' });
  else if (found !== sha256) problems.add('FILE_COPY_CHANGED', { sha256: sha256 ?? '', found });
}

type Reported = Readonly<{
  name: string;
  found: string | undefined;
  reports: ArchivedLog['reports'];
}>;

/** The newest version may have been written more than once: a file must have one of its hashes. */
function checkReported({ name: file, found, reports }: Reported, problems: Problems): void {
  const newest = Math.max(...reports.map(({ version }) => version));
  const written = reports.filter(({ version }) => version === newest);
  const hashes = new Set(written.map(({ files }) => files[file]));
  if (hashes.has(found)) return;
  if (found === undefined) problems.add('REPORT_FILE_GONE', { file });
  else if (written.every(({ files }) => files[file] === undefined)) {
    problems.add('REPORT_FILE_STRANGE', { file });
  } else problems.add('REPORT_FILE_CHANGED', { file });
}

/** The hash of the bytes of a file; undefined: the archive has none. */
async function hashIn(from: Files, batchId: string, name: string): Promise<string | undefined> {
  try {
    return await checkCopy(await from.openPublished(batchId, name));
  } catch (error) {
    if (isDamaged(error)) return error.facts.found;
    if (isBursarError(error) && error.code === 'PUBLISHED_MISSING') return undefined;
    throw error;
  }
}

const isDamaged = (error: unknown): error is BursarError<'BLOB_DAMAGED'> =>
  isBursarError(error) && error.code === 'BLOB_DAMAGED';

/** What the log of an archive says of its files. */
type ArchivedLog = {
  file: string | undefined;
  readonly reports: WrittenFiles[];
  entries: number;
  head: ChainHead;
};

async function checkEntries(
  copy: OpenCopy,
  { batchId, head: quoted }: ArchiveToCheck,
  problems: Problems,
): Promise<ArchivedLog> {
  const check = createLogCheck([batchId]);
  const log: ArchivedLog = { file: undefined, reports: [], entries: 0, head: CHAIN_START };
  const hashes = new Map<number, string>();
  let newest = 0;
  await problems.during('the audit log of the archive', async () => {
    try {
      for await (const line of createInterface({ input: Readable.from(copy.blocks) })) {
        const entry = JSON.parse(line) as ChainedEntry;
        const problem = check.take(entry);
        if (problem !== null) problems.add('AUDIT_BROKEN', { seq: String(entry.seq), problem });
        newest = entry.seq;
        if (entry.seq === quoted?.entries) hashes.set(entry.seq, entry.hash);
        if (entry.batchId === batchId) takeEntry(log, entry);
      }
    } finally {
      await copy.close();
    }
  });
  for (const { seq, problem } of check.rest()) {
    problems.add('AUDIT_BROKEN', { seq: String(seq), problem });
  }
  if (quoted !== null) checkQuoted(quoted, { hash: hashes.get(quoted.entries), newest }, problems);
  return log;
}

function takeEntry(log: ArchivedLog, entry: ChainedEntry): void {
  const { seq, hash, action, facts } = entry;
  log.entries += 1;
  log.head = { seq, hash };
  const file = facts?.[NAMES.batch]?.['file_sha256'];
  if (typeof file === 'string') log.file = file;
  if (action === REPORT_WRITTEN) log.reports.push(writtenFilesOf(entry));
}

function checkQuoted(
  { source, entries, hash }: QuotedMark,
  found: Readonly<{ hash: string | undefined; newest: number }>,
  problems: Problems,
): void {
  if (found.hash === undefined) {
    problems.add('AUDIT_CUT', { source, entries, found: found.newest });
  } else if (found.hash !== hash) problems.add('AUDIT_OTHER', { source, entries });
}
