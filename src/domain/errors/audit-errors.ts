import { entry } from './entry.ts';

type OfRecord = Readonly<{ record: string }>;
type OfFile = Readonly<{ file: string }>;
type OfReport = OfFile & Readonly<{ batchId: string; url: string }>;

const KEEP =
  'Keep the store and the files as they are, compare them with a backup, and find out who can write to them.';

/** What shows that something was changed after it was written down. */
export const AUDIT_ERRORS = {
  AUDIT_BROKEN: entry<Readonly<{ seq: string; problem: string }>>({
    category: 'operator',
    what: (f) => `The audit log is broken at entry ${f.seq}: ${f.problem}.`,
    why: 'Each entry holds the hash of the one before in its chain, so what was changed, dropped or moved shows.',
    fix: 'Keep the store as it is, compare it with a backup, and find out who can write to it.',
  }),
  BATCH_NOT_APPROVED: entry<Readonly<{ batchId: string; why: string }>>({
    category: 'tampered',
    what: (f) => `Batch ${f.batchId} lacks an approval: ${f.why}.`,
    why: 'Each batch under a policy needs signed statements in the store: the submit, the approvals, every lifted hold, every answer that a chunk was not created.',
    fix: KEEP,
  }),
  ARCHIVE_UNPROVEN: entry<Readonly<{ batchId: string }>>({
    category: 'tampered',
    what: (f) => `Batch ${f.batchId} was not archived.`,
    why: 'Something of it is not as it was stored, so an archive would prove nothing.',
    fix: (f) => `See what it is with "bursar verify ${f.batchId}".`,
  }),
  AUDIT_HEAD_NOT_KEPT: entry<Readonly<{ why: string }>>({
    category: 'unreachable',
    what: (f) => `The end of the audit log was not kept in its second place: ${f.why}.`,
    why: 'The receiver of audit.head_url did not take it.',
    fix: 'Check audit.head_url and audit.head_secret_file. The worker tries again by itself.',
  }),
  AUDIT_CUT: entry<Readonly<{ source: string; entries: number; found: number }>>({
    category: 'tampered',
    what: (f) =>
      `The audit log lacks entry ${f.entries}, which ${f.source} names. Its newest entry is ${f.found}.`,
    why: 'Entries are only ever added, so some were cut off, or the store is an older copy.',
    fix: KEEP,
  }),
  AUDIT_OTHER: entry<Readonly<{ source: string; entries: number }>>({
    category: 'tampered',
    what: (f) => `Entry ${f.entries} of the audit log is not the one that ${f.source} names.`,
    why: 'The hash of an entry stands for all earlier entries of its chain, so one of them was changed.',
    fix: KEEP,
  }),
  TEXT_UNREADABLE: entry<Readonly<{ table: string; column: string; rowid: number }>>({
    category: 'tampered',
    what: (f) => `A text of the store is no text any more: ${f.table}.${f.column}, row ${f.rowid}.`,
    why: 'Bursar writes UTF-8 and nothing else. Nothing more of the batch is read, for what stands there is not known.',
    fix: KEEP,
  }),
  RECORD_CHANGED: entry<OfRecord & Readonly<{ columns: string; seq: number }>>({
    category: 'tampered',
    what: (f) =>
      `The store says something else of ${f.record} than entry ${f.seq} of the audit log: ${f.columns}.`,
    why: 'Every change of a record is written down together with an entry, so this one was not made by Bursar.',
    fix: KEEP,
  }),
  RECORD_GONE: entry<OfRecord & Readonly<{ seq: number }>>({
    category: 'tampered',
    what: (f) => `Entry ${f.seq} of the audit log tells of ${f.record}, and the store has none.`,
    why: 'Bursar removes no such record.',
    fix: KEEP,
  }),
  RECORD_UNTOLD: entry<OfRecord>({
    category: 'tampered',
    what: (f) => `The store has ${f.record}, and the audit log does not tell of it.`,
    why: 'Every record is written down together with an entry, so this one was not made by Bursar.',
    fix: KEEP,
  }),
  RECORD_UNREADABLE: entry<Readonly<{ what: string; reason: string }>>({
    category: 'tampered',
    what: (f) => `${f.what} cannot be looked through: ${f.reason}.`,
    why: 'What the store holds is not what Bursar writes.',
    fix: KEEP,
  }),
  ROWS_CHANGED: entry<Readonly<{ chunk: number; what: string }>>({
    category: 'tampered',
    what: (f) => `Chunk ${f.chunk} is not what was planned: ${f.what}.`,
    why: 'The plan names the rows of each chunk by their hash, their number and their total, and its key.',
    fix: KEEP,
  }),
  PLAN_CHANGED_SINCE: entry<Readonly<{ digest: string; made: string }>>({
    category: 'tampered',
    what: (f) => `The plan has the digest ${f.made} now, and ${f.digest} was decided on.`,
    why: 'The digest covers rows, chunks, keys, choices, findings and rules: one of them is another one now.',
    fix: KEEP,
  }),
  FILE_COPY_CHANGED: entry<Readonly<{ sha256: string; found: string }>>({
    category: 'tampered',
    what: (f) => `The copy of the file has the hash ${f.found}, and ${f.sha256} was submitted.`,
    why: 'The copy is named by its hash, and nobody writes to it.',
    fix: KEEP,
  }),
  FILE_COPY_GONE: entry<Readonly<{ sha256: string }>>({
    category: 'tampered',
    what: (f) => `The copy of the submitted file (${f.sha256}) is not there.`,
    why: 'Without it nobody can see whether the rows are those of the file.',
    fix: 'Put the file that was submitted back under that name in blob.url; its hash tells whether it is the one.',
  }),
  REPORT_GONE: entry<Readonly<{ dir: string }>>({
    category: 'tampered',
    what: (f) => `There is no report in ${f.dir}.`,
    why: 'The batch is over, and had a report before it was.',
    fix: 'Say where it is with --report DIR, or write it again with "bursar report".',
  }),
  REPORT_FILE_CHANGED: entry<OfFile>({
    category: 'tampered',
    what: (f) => `${f.file} is not as it was written.`,
    why: 'The audit log keeps the hash of every file of a report.',
    fix: 'Keep the file, and write the report again with "bursar report" into another folder: the difference shows what was changed.',
  }),
  REPORT_FILE_GONE: entry<OfFile>({
    category: 'tampered',
    what: (f) => `${f.file} is missing.`,
    why: 'The audit log tells that it was written with the report.',
    fix: 'Find out who removed it; "bursar report" writes it again.',
  }),
  REPORT_FILE_STRANGE: entry<OfFile>({
    category: 'tampered',
    what: (f) => `${f.file} stands beside the report, and does not belong to it.`,
    why: 'The audit log tells of every file that was written with the report, and not of this one.',
    fix: 'Do not use it: whoever pays from it may pay twice. Find out who put it there.',
  }),
  REPORT_MISSING: entry<OfReport>({
    category: 'not-found',
    what: (f) => `${f.file} of the report of batch ${f.batchId} is not in ${f.url}.`,
    why: 'The program that wrote the report was lost before it had published it, or the file was removed.',
    fix: (f) => `Write the report again with "bursar report ${f.batchId}".`,
  }),
  REPORT_DAMAGED: entry<OfReport>({
    category: 'tampered',
    what: (f) =>
      `${f.file} of the report of batch ${f.batchId} in ${f.url} is not as it was written.`,
    why: 'The audit log keeps the hash of every file of a report.',
    fix: (f) => `Keep the file, and write the report again with "bursar report ${f.batchId}".`,
  }),
  REPORT_DIFFERS: entry<OfFile & Readonly<{ difference: string }>>({
    category: 'tampered',
    what: (f) => `${f.file} says something else than the store: ${f.difference}.`,
    why: 'The report is made from the store, and each change of an outcome after it makes a new one.',
    fix: KEEP,
  }),
};
