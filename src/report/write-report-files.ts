import type { BatchReport, ReportRow, WrittenReport } from '../domain/report/report.ts';
import { withoutRowTexts } from '../domain/plan/finding.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { type Drafts, type HashedFile, startDrafts } from './drafts.ts';
import { createExcerpt } from './excerpt.ts';
import { createRefusedRowsSheet } from './write-refused-rows.ts';
import { createRecount, type Recount, wasPlanned } from './recount.ts';
import type { ReportedBatch } from './row-advice.ts';
import { createRowSheets } from './row-sheets.ts';
import { summaryPage } from './summary/page.ts';

/**
 * Every file of a report, in the order in which they get their names.
 * resend.csv is first: an old one may hold a row that was paid since, and would pay it twice.
 * report.json is last, so that a new report.json has new files beside it.
 */
export const REPORT_FILES: readonly string[] = [
  'resend.csv',
  'failed.csv',
  'investigate.csv',
  'nack.csv',
  'report.csv',
  'summary.html',
  'report.json',
];

type Pages = AsyncIterable<readonly ReportRow[]> | Iterable<readonly ReportRow[]>;

/** The parts of a report that are written after its rows. */
export type ReportEnd = Readonly<{
  report: BatchReport;
  /** The reasons for refused rows, in file order. */
  refused: AsyncIterable<RefusedRow> | Iterable<RefusedRow>;
}>;

export type ReportFilesInput = ReportEnd &
  Readonly<{
    /** The folder of the report, which is made if needed. The caller checks its name. */
    dir: string;
    /**
     * Every row, with refused ones, in file order. Pages are faster than an await for each row.
     * A batch without a plan sent nothing, so its pages are not read.
     */
    pages: Pages;
    /** Receives the hash of every file before the first one gets its name. */
    onHashed?(files: readonly HashedFile[]): Promise<void>;
  }>;

/**
 * Writes the files of a report. Returns the names of the files with content, and removes the
 * others.
 * Rows are streamed. The same input gives the same bytes.
 * @throws TIE_OUT_BROKEN when the rows do not add up to the totals. No file is replaced then.
 */
export async function writeReport(
  input: ReportFilesInput,
  disk: Disk = nodeDisk,
): Promise<{ files: string[] }> {
  const started = await startReport(input.dir, input.report, disk);
  try {
    await addRows(started, wasPlanned(input.report) ? input.pages : []);
    const hashed = await endReport(started, input);
    await input.onHashed?.(hashed);
    return { files: await started.drafts.publish(REPORT_FILES) };
  } catch (cause) {
    await started.drafts.discard();
    throw cause;
  }
}

/** A report in progress. Its rows come first, and its other files after them. */
export type StartedReport = Readonly<{
  drafts: Drafts;
  recount: Recount;
  excerpt: ReturnType<typeof createExcerpt>;
  sheets: ReturnType<typeof createRowSheets>;
}>;

/** Starts a report in its folder. Nothing of it depends on how the batch ends. */
export async function startReport(
  dir: string,
  batch: ReportedBatch,
  disk: Disk = nodeDisk,
): Promise<StartedReport> {
  const drafts = await startDrafts(disk, dir);
  const recount = createRecount(batch.batchId);
  return { drafts, recount, excerpt: createExcerpt(), sheets: createRowSheets(drafts, batch) };
}

/** Writes rows in file order. */
export async function addRows(
  { drafts, recount, excerpt, sheets }: StartedReport,
  pages: Pages,
): Promise<void> {
  for await (const page of pages) {
    for (const row of page) {
      recount.addRow(row);
      sheets.add(row);
      excerpt.addRow(row);
      if (drafts.isFull()) await drafts.flush();
    }
  }
}

/**
 * Writes the files that come after the rows. Returns the hash of every file.
 * @throws TIE_OUT_BROKEN when the rows do not add up to the totals.
 */
export async function endReport(
  { drafts, recount, excerpt }: StartedReport,
  { report, refused }: ReportEnd,
): Promise<HashedFile[]> {
  const refusedSheet = createRefusedRowsSheet(drafts, 'nack.csv');
  for await (const reason of refused) {
    recount.addRefused(reason);
    refusedSheet.add(reason);
    excerpt.addRefused(reason);
    if (drafts.isFull()) await drafts.flush();
  }
  recount.check(report);
  const files = drafts.contents().map(({ name, additions }) => ({ name, rows: additions }));
  drafts.draft('summary.html').add(summaryPage({ report, excerpt, files }));
  // This file stays when the rows are pruned, so it names rows by their numbers alone.
  const findings = withoutRowTexts(report.findings);
  const written: WrittenReport = { ...report, findings, files: await drafts.hashes() };
  drafts.draft('report.json').add(`${JSON.stringify(written, undefined, 2)}\n`);
  return drafts.hashes();
}
