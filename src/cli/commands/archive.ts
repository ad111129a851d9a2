import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { counted } from '../../domain/text/counted.ts';
import { archivePlace } from '../../operations/archive/archive-files.ts';
import { writeArchive } from '../../operations/archive/write-archive.ts';
import { withSourcesToRead } from '../../operations/batch/sources.ts';
import { folderOfNewestReport, reportsOf } from '../../operations/report/newest-report.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';

type ArchiveFlags = Readonly<{ batch: string; out: string }>;

/** `bursar archive BATCH --out PLACE`: copies everything that proves a batch into a folder of its own. */
export async function archive(flags: ArchiveFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const to = archivePlace('--out', flags.out, context.cwd);
  return withSourcesToRead(context, async (sources) => {
    const { settings, store } = sources;
    const blobs = await context.open.blobs(settings);
    const reportDir = await folderOfNewestReport(reportsOf(sources, blobs), batchId);
    const written = await writeArchive({ store, blobs, to, reportDir }, batchId);
    const files = counted(Object.keys(written.files).length, 'file');
    printResult(context, {
      json: { schema: 'bursar.archive/v1', ...written },
      text: `${files} of batch ${batchId} are in ${to.url}, folder ${batchId}. To check them: bursar verify ${batchId} --archive ${flags.out}`,
    });
    return EXIT.done;
  });
}
