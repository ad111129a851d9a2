import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { startDrafts } from './drafts.ts';
import { createNackSheet } from './nack-sheet.ts';

/** Keeps a slip of the caller from replacing the merchant's own file. */
const NACK_FILE = /^[\w.-]*nack\.csv$/;

export type NackInput = Readonly<{
  /** Made if needed. */
  dir: string;
  /** Name of the file to write: `nack.csv`, or one that ends so. */
  file: string;
  refused: AsyncIterable<RefusedRow> | Iterable<RefusedRow>;
}>;

/**
 * Writes what is wrong with refused rows, and answers with the file's name; without such rows an
 * old file is removed.
 */
export async function writeNack(
  { dir, file, refused }: NackInput,
  disk: Disk = nodeDisk,
): Promise<{ files: string[] }> {
  if (!NACK_FILE.test(file)) throw new RangeError(`"${file}" is no name for a nack.csv`);
  const drafts = await startDrafts(disk, dir);
  try {
    const nack = createNackSheet(drafts, file);
    for await (const row of refused) {
      nack.add(row);
      if (drafts.isFull()) await drafts.flush();
    }
    return { files: await drafts.publish([file]) };
  } catch (cause) {
    await drafts.discard();
    throw cause;
  }
}
