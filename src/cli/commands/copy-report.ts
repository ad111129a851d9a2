import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { counted } from '../../domain/text/counted.ts';
import { stateByRecord } from '../../operations/batch/standing.ts';
import type { Sources } from '../../operations/batch/types.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { copyNewestReport, reportsOf } from '../../operations/report/newest-report.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import { writeBytes } from '../../report/disk.ts';
import { rowsWorkbook, workbookName } from '../../report/workbook/rows-workbook.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';

type CopyWish = Readonly<{
  batchId: string;
  record: BatchRecord | undefined;
  out: string;
  xlsx: boolean;
}>;

/** Copies the newest report of an ended batch into a new or empty folder, and writes none. */
export async function copyReport(
  sources: Sources,
  { batchId, record, out, xlsx }: CopyWish,
  context: Context,
): Promise<number> {
  if (record === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  if (record.endState === null) {
    throw new BursarError('BATCH_OPEN', { batchId, state: stateByRecord(record) });
  }
  const dir = resolve(context.cwd, out);
  await refuseUsed(dir);
  const blobs = await context.open.blobs(sources.settings);
  const reports = reportsOf(sources, blobs);
  const { version, files, url } = await copyNewestReport(reports, batchId, dir).catch(refuse);
  const names = Object.keys(files);
  const workbooks = xlsx ? await writeWorkbooks(dir, names).catch(refuse) : [];
  const what = counted(names.length, 'file');
  const more = xlsx
    ? ` ${counted(workbooks.length, 'workbook')} with their rows are there, too.`
    : '';
  printResult(context, {
    json: {
      schema: 'bursar.report-copy/v1',
      batchId,
      version,
      reportUrl: url,
      dir,
      files,
      workbooks,
    },
    text: `${what} of version ${version} of the report of batch ${batchId} are in ${dir}, each as it was written.${more}`,
  });
  return EXIT.done;
}

const refuse = (error: unknown): never => {
  throw unwritable('--out', error);
};

/** Writes the rows of the files in a folder as workbooks beside them. Returns their names. */
async function writeWorkbooks(dir: string, files: readonly string[]): Promise<string[]> {
  const written: string[] = [];
  for (const file of files) {
    const name = workbookName(file);
    if (name === undefined) continue;
    await writeBytes(join(dir, name), rowsWorkbook(createReadStream(join(dir, file))));
    written.push(name);
  }
  return written;
}

/** The copy replaces no file. */
async function refuseUsed(dir: string): Promise<void> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw flagInvalid('--out', `"${dir}" is no folder`);
    throw error;
  });
  if (names.length > 0) throw flagInvalid('--out', `"${dir}" is not empty`);
}
