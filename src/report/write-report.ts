import type { BatchReport, ReportRow, WrittenReport } from '../domain/report/report.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { type Drafts, type HashedFile, startDrafts } from './drafts.ts';
import { createExcerpt } from './excerpt.ts';
import { createNackSheet } from './nack-sheet.ts';
import { createRecount, wasPlanned } from './recount.ts';
import { createRowSheets } from './row-sheets.ts';
import { summaryPage } from './summary/page.ts';

/**
 * Every file of a report, in the order in which they get their names. resend.csv is first, because
 * an old one could pay a row that was paid since; report.json is last, so that whoever sees it new
 * sees everything new.
 */
export const FILES: readonly string[] = [
  'resend.csv',
  'failed.csv',
  'investigate.csv',
  'nack.csv',
  'report.csv',
  'summary.html',
  'report.json',
];

export type ReportContent = Readonly<{
  /**
   * The folder of the report, made if needed. Nothing outside it is touched; its name is checked by
   * the caller.
   */
  dir: string;
  report: BatchReport;
  /**
   * Every row, refused ones included, in the order of the file, some at a time: waiting for each row of a million
   * would cost more than writing it. Not read when nothing was planned: then nothing was sent, and only refused rows
   * are kept one by one.
   */
  pages: AsyncIterable<readonly ReportRow[]> | Iterable<readonly ReportRow[]>;
  /** Why rows were refused, in the order of the file. */
  refused: AsyncIterable<RefusedRow> | Iterable<RefusedRow>;
  /** Is told of every file before any has its name. */
  tell?(files: readonly HashedFile[]): Promise<void>;
}>;

/**
 * Writes the files of a report and answers with the names of those that have content; old ones
 * without are removed. Rows are streamed. The same input gives the same bytes. Throws
 * TIE_OUT_BROKEN, before anything is replaced, when the rows do not add up to the totals of the
 * report.
 */
export async function writeReport(
  input: ReportContent,
  disk: Disk = nodeDisk,
): Promise<{ files: string[] }> {
  const drafts = await startDrafts(disk, input.dir);
  try {
    await draftReport(drafts, input);
    await input.tell?.(await drafts.hashes());
    return { files: await drafts.publish(FILES) };
  } catch (cause) {
    await drafts.discard();
    throw cause;
  }
}

async function draftReport(
  drafts: Drafts,
  { report, pages, refused }: ReportContent,
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
  const nack = createNackSheet(drafts, 'nack.csv');
  for await (const reason of refused) {
    recount.addRefused(reason);
    nack.add(reason);
    excerpt.addRefused(reason);
    if (drafts.isFull()) await drafts.flush();
  }
  recount.check();
  const files = drafts.contents().map(({ name, additions }) => ({ name, rows: additions }));
  drafts.draft('summary.html').add(summaryPage({ report, excerpt, files }));
  const written: WrittenReport = { ...report, files: await drafts.hashes() };
  drafts.draft('report.json').add(`${JSON.stringify(written, undefined, 2)}\n`);
}
