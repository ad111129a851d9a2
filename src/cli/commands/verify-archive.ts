import type { QuotedMark } from '../../domain/audit/verification.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { counted } from '../../domain/text/counted.ts';
import { archivePlace } from '../../operations/archive/archive-files.ts';
import { checkArchive } from '../../operations/archive/check-archive.ts';
import type { Context } from '../context.ts';
import { errorText } from '../print/error.ts';
import { printResult } from '../print/output.ts';

/** `place`: the folder or address that was given to `bursar archive --out`. */
type ArchiveWish = Readonly<{ batchId: string; place: string; head: QuotedMark | null }>;

/** `bursar verify BATCH --archive PLACE`: checks an archive by itself. No store is opened. */
export async function verifyArchive(wish: ArchiveWish, context: Context): Promise<number> {
  const from = archivePlace('--archive', wish.place, context.cwd);
  const found = await checkArchive(from, wish);
  const { batchId, result, files, entries, head, problems } = found;
  const isSound = result === 'PROVEN';
  const says = isSound ? 'everything is as it was archived' : 'something was changed';
  printResult(context, {
    json: { schema: 'bursar.archive-check/v1', ...found },
    text: [
      `Archive of batch ${batchId}: ${result}, ${says}.`,
      `  ${counted(files, 'file')}, ${counted(entries, 'entry', 'entries')} about this batch`,
      ...problems.map((note) => errorText(note, context)),
      `The newest entry about the batch, to be kept elsewhere: ${head.seq}:${head.hash}`,
    ].join('\n'),
  });
  return isSound ? EXIT.done : EXIT.tampered;
}
