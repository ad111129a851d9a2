import type { BatchReport, ReportRow, WrittenReport } from '../domain/report/report.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { type Drafts, type HashedFile, startDrafts } from './drafts.ts';
import { createExcerpt } from './excerpt.ts';
import { createRefusedRowsSheet } from './write-refused-rows.ts';
import { createRecount, wasPlanned } from './recount.ts';
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

export type ReportFilesInput = Readonly<{
  /** The folder of the report, which is made if needed. The caller checks its name. */
  dir: string;
  report: BatchReport;
  /**
   * Every row, with refused ones, in file order. Pages are faster than an await for each row.
   * A batch without a plan sent nothing, so its pages are not read.
   */
  pages: AsyncIterable<readonly ReportRow[]> | Iterable<readonly ReportRow[]>;
  /** The reasons for refused rows, in file order. */
  refused: AsyncIterable<RefusedRow> | Iterable<RefusedRow>;
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
  const drafts = await startDrafts(disk, input.dir);
  try {
    await draftReport(drafts, input);
    await input.onHashed?.(await drafts.hashes());
    return { files: await drafts.publish(REPORT_FILES) };
  } catch (cause) {
    await drafts.discard();
    throw cause;
  }
}

async function draftReport(
  drafts: Drafts,
  { report, pages, refused }: ReportFilesInput,
): Promise<void> {
  const recount = createRecount(report);
  const excerpt = createExcerpt();
  const sheets = createRowSheets(drafts, report);
  for await (const page of wasPlanned(report) ? pages : []) {
    for (const row of page) {
      recount.addRow(row);
      sheets.add(row);
      excerpt.addRow(row);
      if (drafts.isFull()) await drafts.flush();
    }
  }
  const refusedSheet = createRefusedRowsSheet(drafts, 'nack.csv');
  for await (const reason of refused) {
    recount.addRefused(reason);
    refusedSheet.add(reason);
    excerpt.addRefused(reason);
    if (drafts.isFull()) await drafts.flush();
  }
  recount.check();
  const files = drafts.contents().map(({ name, additions }) => ({ name, rows: additions }));
  drafts.draft('summary.html').add(summaryPage({ report, excerpt, files }));
  const written: WrittenReport = { ...report, files: await drafts.hashes() };
  drafts.draft('report.json').add(`${JSON.stringify(written, undefined, 2)}\n`);
}
