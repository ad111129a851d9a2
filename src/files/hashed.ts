import { createHash } from 'node:crypto';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { OpenObject } from './objects.ts';

/** Bytes that were to have a hash have another one. */
export class OtherBytes extends Error {
  override readonly name = 'OtherBytes';
  readonly found: string;

  constructor(found: string) {
    super(`the bytes have the hash ${found}`);
    this.found = found;
  }
}

/** Passes bytes on, and throws {@link OtherBytes} at their end unless they have the hash. */
export async function* withHash(
  sha256: string,
  blocks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const block of blocks) {
    hash.update(block);
    yield block;
  }
  const found = hash.digest('hex');
  if (found !== sha256) throw new OtherBytes(found);
}

/** A copy during its reading. */
export type OpenCopy = OpenObject &
  Readonly<{
    bytesRead(): number;
    /**
     * Returns the hash, which all bytes of the copy have. Call it after the last block.
     * @throws BLOB_DAMAGED unless every byte was read.
     */
    sha256(): string;
  }>;

/** A copy whose last block is followed by BLOB_DAMAGED when the bytes do not have the hash. */
export function checkedCopy(sha256: string, { sizeBytes, blocks, close }: OpenObject): OpenCopy {
  let bytesRead = 0;
  let isWhole = false;

  async function* checked(): AsyncGenerator<Buffer> {
    try {
      for await (const block of withHash(sha256, blocks)) {
        bytesRead += block.length;
        yield block;
      }
      isWhole = true;
    } catch (error) {
      if (!(error instanceof OtherBytes)) throw error;
      throw new BursarError('BLOB_DAMAGED', { sha256, found: error.found });
    }
  }

  return {
    sizeBytes,
    blocks: checked(),
    bytesRead: () => bytesRead,
    sha256() {
      if (isWhole) return sha256;
      throw new BursarError('BLOB_DAMAGED', { sha256, found: `only ${bytesRead} bytes` });
    },
    close,
  };
}
