import type { BatchRecord } from '../../store/batches/types.ts';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { changesOf, type RecordFacts } from '../../domain/audit/facts.ts';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import { canonicalJson } from '../../domain/audit/chain.ts';
import type { WrittenReport } from '../../domain/report/report.ts';
import type { WrittenFiles } from '../../domain/report/written-report.ts';
import type { Totals } from '../../domain/report/totals.ts';
import { keptVersions } from '../archive.ts';
import { hashOfFile } from '../hash-of-file.ts';
import { REPORT_FILES } from '../write-report-files.ts';
import type { Problems } from './problems.ts';

/** The content of report.json. Reports of older versions lack some fields. */
export type ReportOnDisk = Totals &
  Readonly<{
    audit?: WrittenReport['audit'];
    digest?: WrittenReport['digest'];
    revision?: WrittenReport['revision'];
    state?: WrittenReport['state'];
  }>;

/** Reads report.json. Returns undefined when it is missing or not JSON. */
export async function readReport(dir: string): Promise<ReportOnDisk | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, 'report.json'), 'utf8')) as ReportOnDisk;
  } catch {
    return undefined;
  }
}

/** Returns the audit mark that a report names. */
export const markOf = (report: ReportOnDisk | undefined): QuotedMark[] =>
  report?.audit === undefined || report.audit === null
    ? []
    : [{ source: 'report.json', ...report.audit }];

type ReportToCheck = Readonly<{
  dir: string;
  version: number;
  reports: readonly WrittenFiles[];
  /** A prune may have removed files of it. */
  mayBeGone: boolean;
}>;

/**
 * Compares the files of a report, and of its older versions, with the hashes in the audit log.
 * A version may be written more than once: a file must have one of its hashes.
 * Returns the number of files.
 */
export async function checkReportFiles(
  { dir, version, reports, mayBeGone }: ReportToCheck,
  problems: Problems,
): Promise<number> {
  const folders = [{ dir, version }, ...(await keptVersions(dir))];
  let files = 0;
  for (const folder of folders) {
    const written = reports.filter((one) => one.version === folder.version);
    files += await checkFolder({ dir: folder.dir, mayBeGone }, written, problems);
  }
  return files;
}

async function checkFolder(
  { dir, mayBeGone }: Readonly<{ dir: string; mayBeGone: boolean }>,
  written: readonly WrittenFiles[],
  problems: Problems,
): Promise<number> {
  let files = 0;
  for (const name of REPORT_FILES) {
    const file = join(basename(dir), name);
    const hashes = new Set(written.map((one) => one.files[name]));
    const found = await hashOfFile(join(dir, name)).catch(() => undefined);
    if (found !== undefined) files += 1;
    if (hashes.has(found)) continue;
    if (found === undefined) {
      if (!mayBeGone) problems.add('REPORT_FILE_GONE', { file });
    } else if ([...hashes].every((hash) => hash === undefined)) {
      problems.add('REPORT_FILE_STRANGE', { file });
    } else problems.add('REPORT_FILE_CHANGED', { file });
  }
  return files;
}

/** Compares totals, digest and state of report.json with the store. */
export function checkReportTotals(
  report: ReportOnDisk,
  { batch, totals }: Readonly<{ batch: BatchRecord; totals: Totals }>,
  problems: Problems,
): void {
  const reported = factsOf({ ...report, digest: report.digest ?? null });
  const { digest, endState: state } = batch;
  const stored = factsOf({ ...totals, digest, state });
  const [figure] = Object.keys(changesOf(reported, stored));
  if (figure === undefined) return;
  const difference = `${figure} is ${reported[figure]}, and ${stored[figure]} in the store`;
  problems.add('REPORT_DIFFERS', { file: 'report.json', difference });
}

const factsOf = ({
  rows,
  amounts,
  digest,
  state,
}: Totals & Readonly<{ digest: string | null; state?: string | null }>): RecordFacts => ({
  digest,
  state: state ?? null,
  rows: canonicalJson(rows),
  amounts: canonicalJson(amounts),
});
