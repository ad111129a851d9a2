import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A part of an archive. `content`: its text, in order. */
export type ZipPart = Readonly<{
  name: string;
  content: AsyncIterable<string> | Iterable<string>;
}>;

/** The same for each archive, so that the same parts give the same bytes. 1 January 1980 is the first date of a zip. */
const ENTRY = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** Texts of a part that wait to be packed. */
const TEXTS_AHEAD = 2;

/**
 * Packs parts into a zip archive while it is read. The next part is begun when all of the one before it was packed. An error
 * of a part is an error of the archive, which then has no end. An archive that is destroyed reads no further part.
 */
export function zipped(parts: AsyncIterable<ZipPart> | Iterable<ZipPart>): Readable {
  const zip = new ZipFile();
  // Its type is that of any stream, and it is a PassThrough.
  const archive = zip.outputStream as Readable;
  pack(parts, zip, archive).catch((error: Error) => archive.destroy(error));
  return archive;
}

async function pack(
  parts: AsyncIterable<ZipPart> | Iterable<ZipPart>,
  zip: ZipFile,
  archive: Readable,
): Promise<void> {
  for await (const { name, content } of parts) {
    const texts = Readable.from(content, { highWaterMark: TEXTS_AHEAD });
    const stop = (): unknown => texts.destroy();
    archive.once('close', stop);
    zip.addReadStream(texts, name, ENTRY);
    await finished(texts);
    archive.off('close', stop);
  }
  zip.end();
}
