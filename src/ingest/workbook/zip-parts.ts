import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { moreThan } from '../../domain/errors/workbook-errors.ts';
import { UNPACK_RATIO_FREE_BYTES, UNPACK_RATIO_MAX, WORKBOOK_PARTS_MAX } from '../limits.ts';

/** The parts of a zip archive. Names are in lower case, as the parts of a workbook are compared. */
export type ZipParts = Readonly<{
  has(name: string): boolean;
  names(): Iterable<string>;
  /** The unpacked bytes of a part. @throws WORKBOOK_UNREADABLE, also where there is no such part */
  bytes(name: string): AsyncIterable<Buffer>;
}>;

export type ZipOptions = Readonly<{
  file: string;
  /** Largest unpacked part. */
  partBytesMax: number;
}>;

/** All that is unpacked together, as a multiple of the largest part: entries of an archive may share their bytes. */
const PARTS_TIMES = 2;

/**
 * Opens an archive in memory. The list at its end is read, never the parts before it.
 * @throws WORKBOOK_UNREADABLE, WORKBOOK_TOO_LARGE
 */
export async function openZip(archive: Buffer, options: ZipOptions): Promise<ZipParts> {
  const { file, partBytesMax } = options;
  const refuse = (error: unknown): never => {
    if (isBursarError(error)) throw error;
    const reason = (error as Error).message;
    throw new BursarError('WORKBOOK_UNREADABLE', { file, reason }, { cause: error });
  };
  const zip = await fromBufferPromise(archive).catch(refuse);
  const entries = await readEntries(zip, file).catch(refuse);
  let leftBytes = PARTS_TIMES * partBytesMax;
  return {
    has: (name) => entries.has(name.toLowerCase()),
    names: () => entries.keys(),
    async *bytes(name) {
      try {
        const entry = entries.get(name.toLowerCase());
        if (entry === undefined) throw new Error(`its part ${name} is missing`);
        refuseBomb(entry, options);
        for await (const block of checked(await zip.openReadStreamPromise(entry), entry.crc32)) {
          leftBytes -= block.length;
          if (leftBytes < 0) {
            const has = moreThan(PARTS_TIMES * partBytesMax, 'byte');
            throw new BursarError('WORKBOOK_TOO_LARGE', { file, has });
          }
          yield block;
        }
      } catch (error) {
        refuse(error);
      }
    },
  };
}

async function readEntries(zip: ZipFile, file: string): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > WORKBOOK_PARTS_MAX) {
    const has = moreThan(WORKBOOK_PARTS_MAX, 'part');
    throw new BursarError('WORKBOOK_TOO_LARGE', { file, has });
  }
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entries.has(name)) throw new Error(`it has two parts of the name ${name}`);
    entries.set(name, entry);
  }
  return entries;
}

/** The unpacked size is the one in the list: a part that unpacks to another size is refused when it is read. */
function refuseBomb(
  { fileName, uncompressedSize, compressedSize }: Entry,
  { file, partBytesMax }: ZipOptions,
): void {
  const isLarge = uncompressedSize > UNPACK_RATIO_FREE_BYTES;
  if (isLarge && uncompressedSize > UNPACK_RATIO_MAX * compressedSize) {
    const has = `a part that unpacks to more than ${UNPACK_RATIO_MAX} times its size (${fileName})`;
    throw new BursarError('WORKBOOK_TOO_LARGE', { file, has });
  }
  if (uncompressedSize > partBytesMax) {
    const has = `a part with ${moreThan(partBytesMax, 'byte')} (${fileName})`;
    throw new BursarError('WORKBOOK_TOO_LARGE', { file, has });
  }
}

/** The bytes of a part, compared with its checksum. A flipped bit could change an amount. */
async function* checked(packed: Readable, expected: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const block of packed as AsyncIterable<Buffer>) {
    sum = crc32(block, sum);
    yield block;
  }
  if (sum !== expected) throw new Error('a part has another checksum than the archive says');
}
