import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { counted } from '../../domain/text/counted.ts';
import { stateByRecord } from '../../operations/batch/standing.ts';
import type { Sources } from '../../operations/batch/types.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { copyNewestReport, reportsOf } from '../../operations/report/newest-report.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';

type CopyWish = Readonly<{ batchId: string; record: BatchRecord | undefined; out: string }>;

/** Copies the newest report of an ended batch into a new or empty folder, and writes none. */
export async function copyReport(
  sources: Sources,
  { batchId, record, out }: CopyWish,
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
  const copied = await copyNewestReport(reports, batchId, dir).catch((error: unknown) => {
    throw unwritable('--out', error);
  });
  const { version, files, url } = copied;
  const what = counted(Object.keys(files).length, 'file');
  printResult(context, {
    json: { schema: 'bursar.report-copy/v1', batchId, version, reportUrl: url, dir, files },
    text: `${what} of version ${version} of the report of batch ${batchId} are in ${dir}, each as it was written.`,
  });
  return EXIT.done;
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
