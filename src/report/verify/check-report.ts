import type { BatchRecord } from '../../store/batches/types.ts';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { changesOf, type RecordFacts } from '../../domain/audit/facts.ts';
import type { QuotedMark } from '../../domain/audit/verification.ts';
import { canonicalJson } from '../../domain/audit/chain.ts';
import type { WrittenReport } from '../../domain/report/report.ts';
import type { Totals } from '../../domain/report/totals.ts';
import { FOLDER_OF_VERSIONS } from '../archive.ts';
import { FILES } from '../write-report.ts';
import { hashOfFile } from './check-file.ts';
import type { WrittenFiles } from './check-log.ts';
import type { Problems } from './problems.ts';

/** What report.json says; undefined: it is not there, or is no report. Older ones have no mark and name no files. */
export type ReportOnDisk = Partial<Pick<WrittenReport, 'audit' | 'digest' | 'revision' | 'state'>> &
  Pick<WrittenReport, 'rows' | 'amounts'>;

export async function readReport(dir: string): Promise<ReportOnDisk | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, 'report.json'), 'utf8')) as ReportOnDisk;
  } catch {
    return undefined;
  }
}

/** The entry of the log that a report names. */
export const markOf = (report: ReportOnDisk | undefined): QuotedMark[] =>
  report?.audit === undefined || report.audit === null
    ? []
    : [{ source: 'report.json', ...report.audit }];

/**
 * Holds the files of a report, and of the versions before it, against the hashes that the log has of them. A report may have
 * been written more than once: each file must be as one of those times. Answers with the number of files.
 */
export async function checkReportFiles(
  {
    dir,
    version,
    reports,
  }: Readonly<{ dir: string; version: number; reports: readonly WrittenFiles[] }>,
  problems: Problems,
): Promise<number> {
  const folders = [{ dir, version }, ...(await olderVersions(dir))];
  let files = 0;
  for (const folder of folders) {
    const written = reports.filter((one) => one.version === folder.version);
    files += await checkFolder(folder.dir, written, problems);
  }
  return files;
}

async function olderVersions(dir: string) {
  const folder = join(dir, FOLDER_OF_VERSIONS);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ dir: join(folder, name), version: Number(name) }));
}

async function checkFolder(
  dir: string,
  written: readonly WrittenFiles[],
  problems: Problems,
): Promise<number> {
  let files = 0;
  for (const name of FILES) {
    const file = join(basename(dir), name);
    const hashes = new Set(written.map((one) => one.files[name]));
    const found = await hashOfFile(join(dir, name)).catch(() => undefined);
    if (found !== undefined) files += 1;
    if (hashes.has(found)) continue;
    if (found === undefined) problems.add('REPORT_FILE_GONE', { file });
    else if ([...hashes].every((hash) => hash === undefined)) {
      problems.add('REPORT_FILE_STRANGE', { file });
    } else problems.add('REPORT_FILE_CHANGED', { file });
  }
  return files;
}

/** Holds what report.json says of the batch as a whole against the store. */
export function checkReportTotals(
  report: ReportOnDisk,
  { batch, totals }: Readonly<{ batch: BatchRecord; totals: Totals }>,
  problems: Problems,
): void {
  const says = factsOf({ ...report, digest: report.digest ?? null });
  const { digest, endState: state } = batch;
  const is = factsOf({ ...totals, digest, state });
  const [figure] = Object.keys(changesOf(says, is));
  if (figure === undefined) return;
  const difference = `${figure} is ${says[figure]}, and ${is[figure]} in the store`;
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
