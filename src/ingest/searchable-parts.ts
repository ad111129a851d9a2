import { FILE_SIZE_BYTES_MAX } from './limits.ts';
import { readStreamHead } from './stream-head.ts';
import { type PackedBytes, unpackedContent } from './unpack.ts';
import { wholeOf } from './workbook/open-workbook.ts';
import { openZip } from './workbook/zip-parts.ts';

const ZIP_MAGIC = Buffer.from('PK\u0003\u0004', 'latin1');

/**
 * The unpacked bytes of a payout file, for a search of its texts: those of each part of a workbook, else those of the whole
 * file. @throws FILE_COMPRESSION, FILE_TOO_LARGE, WORKBOOK_UNREADABLE, WORKBOOK_TOO_LARGE
 */
export async function* searchableParts(
  { blocks: source, bytesRead }: PackedBytes,
  file: string,
): AsyncGenerator<AsyncIterable<Buffer>> {
  const { head, blocks } = await readStreamHead(source, ZIP_MAGIC.length);
  if (!head.subarray(0, ZIP_MAGIC.length).equals(ZIP_MAGIC)) {
    yield await unpackedContent({ blocks, bytesRead }, { file, sizeBytesMax: FILE_SIZE_BYTES_MAX });
    return;
  }
  const options = { file, partBytesMax: FILE_SIZE_BYTES_MAX };
  const parts = await openZip(await wholeOf(blocks, file), options);
  for (const name of parts.names()) yield parts.bytes(name);
}
