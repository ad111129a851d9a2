import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { readStreamHead } from './stream-head.ts';
import { UNPACK_RATIO_FREE_BYTES, UNPACK_RATIO_MAX } from './limits.ts';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** The bytes of a file as they are, and how many of them were read. */
export type PackedBytes = Readonly<{ blocks: AsyncIterable<Buffer>; bytesRead(): number }>;

type UnpackOptions = Readonly<{ file: string; sizeBytesMax: number; bytesRead(): number }>;

/**
 * Returns the content of a file. It unpacks a file that begins like gzip, with any name.
 * @throws FILE_COMPRESSION for a damaged archive or a bomb, FILE_TOO_LARGE above `sizeBytesMax`.
 */
export async function unpackedContent(
  { blocks: source, bytesRead }: PackedBytes,
  options: Readonly<{ file: string; sizeBytesMax: number }>,
): Promise<AsyncIterable<Buffer>> {
  const { head, blocks } = await readStreamHead(source, GZIP_MAGIC.length);
  const isPacked = head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  return isPacked ? gunzip(blocks, { ...options, bytesRead }) : blocks;
}

async function* gunzip(
  blocks: AsyncIterable<Buffer>,
  { file, sizeBytesMax, bytesRead }: UnpackOptions,
): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  // No error is lost: `unpacked` emits all of them.
  pipeline(blocks, unpacked, () => undefined);
  let sizeBytes = 0;
  try {
    for await (const block of unpacked as AsyncIterable<Buffer>) {
      sizeBytes += block.length;
      if (sizeBytes > sizeBytesMax) {
        throw new BursarError('FILE_TOO_LARGE', { file, sizeBytes, maxBytes: sizeBytesMax });
      }
      if (sizeBytes > UNPACK_RATIO_FREE_BYTES && sizeBytes > UNPACK_RATIO_MAX * bytesRead()) {
        const reason = `it unpacks to more than ${UNPACK_RATIO_MAX} times its size`;
        throw new BursarError('FILE_COMPRESSION', { file, reason });
      }
      yield block;
    }
  } catch (error) {
    const { code, message } = error as Partial<NodeJS.ErrnoException>;
    if (code?.startsWith('Z_') !== true) throw error;
    const reason = message ?? code;
    throw new BursarError('FILE_COMPRESSION', { file, reason }, { cause: error });
  }
}
