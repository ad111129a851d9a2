import { entry } from './entry.ts';

type OfRecord = Readonly<{ record: string }>;
type OfFile = Readonly<{ file: string }>;
type OfReport = OfFile & Readonly<{ batchId: string; url: string }>;

const KEEP =
  'Keep the store and the files as they are. Compare them with a backup. Find out who can write to them.';

/** What shows that something was changed after it was written down. */
export const AUDIT_ERRORS = {
  AUDIT_BROKEN: entry<Readonly<{ seq: string; problem: string }>>({
    category: 'operator',
    what: (f) => `The audit log is broken at entry ${f.seq}: ${f.problem}.`,
    why: 'Each entry has the hash of the entry before it, so every change, gap and move is found.',
    fix: 'Keep the store as it is. Compare it with a backup. Find out who can write to it.',
  }),
  BATCH_NOT_APPROVED: entry<Readonly<{ batchId: string; why: string }>>({
    category: 'tampered',
    what: (f) => `Batch ${f.batchId} lacks an approval: ${f.why}.`,
    why: 'A batch under a policy needs signed statements in the store. They prove the submit, the approvals, each lifted hold, and each answer "not created".',
    fix: KEEP,
  }),
  ARCHIVE_UNPROVEN: entry<Readonly<{ batchId: string }>>({
    category: 'tampered',
    what: (f) => `Batch ${f.batchId} was not archived.`,
    why: 'A part of it is not as it was stored, so an archive would prove nothing.',
    fix: (f) => `"bursar verify ${f.batchId}" shows which part.`,
  }),
  AUDIT_HEAD_NOT_KEPT: entry<Readonly<{ why: string }>>({
    category: 'unreachable',
    what: (f) => `The end of the audit log was not kept in its second place: ${f.why}.`,
    why: 'The receiver of audit.head_url did not accept it.',
    fix: 'Check audit.head_url and audit.head_secret_file. The worker tries again by itself.',
  }),
  AUDIT_CUT: entry<Readonly<{ source: string; entries: number; found: number }>>({
    category: 'tampered',
    what: (f) =>
      `The audit log lacks entry ${f.entries}, which ${f.source} names. Its newest entry is ${f.found}.`,
    why: 'Entries are only added. So some were removed, or the store is an older copy.',
    fix: KEEP,
  }),
  AUDIT_OTHER: entry<Readonly<{ source: string; entries: number }>>({
    category: 'tampered',
    what: (f) => `Entry ${f.entries} of the audit log is not the one that ${f.source} names.`,
    why: 'The hash of an entry covers all earlier entries of its chain. So one of them was changed.',
    fix: KEEP,
  }),
  TEXT_UNREADABLE: entry<Readonly<{ table: string; column: string; rowid: number }>>({
    category: 'tampered',
    what: (f) => `A text of the store cannot be read: ${f.table}.${f.column}, row ${f.rowid}.`,
    why: 'Bursar writes only UTF-8, so another program changed it. Bursar reads nothing more of the batch.',
    fix: KEEP,
  }),
  RECORD_CHANGED: entry<OfRecord & Readonly<{ columns: string; seq: number }>>({
    category: 'tampered',
    what: (f) =>
      `The store and entry ${f.seq} of the audit log differ in ${f.record}: ${f.columns}.`,
    why: 'Bursar stores each change of a record together with an entry. So another program made this change.',
    fix: KEEP,
  }),
  RECORD_GONE: entry<OfRecord & Readonly<{ seq: number }>>({
    category: 'tampered',
    what: (f) => `Entry ${f.seq} of the audit log has ${f.record}, and the store does not.`,
    why: 'Bursar never removes such a record.',
    fix: KEEP,
  }),
  RECORD_UNTOLD: entry<OfRecord>({
    category: 'tampered',
    what: (f) => `The store has ${f.record}, and the audit log does not.`,
    why: 'Bursar stores each record together with an entry. So another program made this one.',
    fix: KEEP,
  }),
  RECORD_UNREADABLE: entry<Readonly<{ what: string; reason: string }>>({
    category: 'tampered',
    what: (f) => `${f.what} cannot be checked: ${f.reason}.`,
    why: 'The store has something that Bursar does not write.',
    fix: KEEP,
  }),
  ROWS_CHANGED: entry<Readonly<{ chunk: number; what: string }>>({
    category: 'tampered',
    what: (f) => `Chunk ${f.chunk} differs from the plan: ${f.what}.`,
    why: 'The plan has the key of each chunk, and the hash, the number and the total of its rows.',
    fix: KEEP,
  }),
  PLAN_CHANGED_SINCE: entry<Readonly<{ digest: string; made: string }>>({
    category: 'tampered',
    what: (f) => `The plan has the digest ${f.made} now. The decision was about ${f.digest}.`,
    why: 'The digest covers rows, chunks, keys, choices, findings and rules. One of them was changed.',
    fix: KEEP,
  }),
  FILE_COPY_CHANGED: entry<Readonly<{ sha256: string; found: string }>>({
    category: 'tampered',
    what: (f) =>
      `The copy of the file has the hash ${f.found}. The submitted file had ${f.sha256}.`,
    why: 'The copy is named by its hash, and Bursar never changes it.',
    fix: KEEP,
  }),
  FILE_COPY_GONE: entry<Readonly<{ sha256: string }>>({
    category: 'tampered',
    what: (f) => `The copy of the submitted file (${f.sha256}) is missing.`,
    why: 'Without it the rows cannot be compared with the file.',
    fix: 'Put the submitted file back under that name in blob.url. Its hash shows whether it is the right one.',
  }),
  REPORT_GONE: entry<Readonly<{ dir: string }>>({
    category: 'tampered',
    what: (f) => `There is no report in ${f.dir}.`,
    why: 'The batch has ended, and each ended batch has a report.',
    fix: 'Give its folder with --report DIR, or write it again with "bursar report".',
  }),
  REPORT_FILE_CHANGED: entry<OfFile>({
    category: 'tampered',
    what: (f) => `${f.file} was changed after it was written.`,
    why: 'The audit log has the hash of every file of a report.',
    fix: 'Keep the file. Write the report again with "bursar report" into another folder, and compare the two.',
  }),
  REPORT_FILE_GONE: entry<OfFile>({
    category: 'tampered',
    what: (f) => `${f.file} is missing.`,
    why: 'By the audit log it was written with the report.',
    fix: 'Find out who removed it. "bursar report" writes it again.',
  }),
  REPORT_FILE_STRANGE: entry<OfFile>({
    category: 'tampered',
    what: (f) => `${f.file} is in the folder of the report, and is no part of it.`,
    why: 'The audit log has every file that was written with the report. It does not have this one.',
    fix: 'Do not use it: a payment from it may be the second one. Find out who put it there.',
  }),
  REPORT_MISSING: entry<OfReport>({
    category: 'not-found',
    what: (f) => `${f.file} of the report of batch ${f.batchId} is not in ${f.url}.`,
    why: 'The program that wrote the report ended before it published it, or the file was removed.',
    fix: (f) => `Write the report again with "bursar report ${f.batchId}".`,
  }),
  REPORT_DAMAGED: entry<OfReport>({
    category: 'tampered',
    what: (f) =>
      `${f.file} of the report of batch ${f.batchId} in ${f.url} was changed after it was written.`,
    why: 'The audit log has the hash of every file of a report.',
    fix: (f) => `Keep the file, and write the report again with "bursar report ${f.batchId}".`,
  }),
  REPORT_DIFFERS: entry<OfFile & Readonly<{ difference: string }>>({
    category: 'tampered',
    what: (f) => `${f.file} differs from the store: ${f.difference}.`,
    why: 'Bursar makes the report from the store. Each later change of an outcome makes a new report.',
    fix: KEEP,
  }),
};
