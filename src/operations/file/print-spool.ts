import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PRINT_WORDS, type PrintSegment } from '../../domain/plan/row-print.ts';
import { refuserOf, withTemporaryFolder } from './temporary-folder.ts';

/** The fingerprints of rows on the disk. So a large file needs no more memory than a small one. */
export type PrintSpool = Readonly<{
  /** Throws TEMPORARY_UNUSABLE when there is no room. */
  add(segment: PrintSegment): Promise<void>;
  /**
   * All segments in the order in which they were added, for each call. A segment is valid until the next one is read.
   */
  segments(): AsyncIterable<PrintSegment>;
}>;

/** Prints of one currency that stand one after the other. */
type Run = { currency: string; words: number };

/** The size of one write or read: 64 KiB. */
const PART_WORDS = 2_048 * PRINT_WORDS;

/** Runs `use` with an empty spool that is gone afterwards, even when this process is killed. */
export async function withPrintSpool<Result>(
  temporaryDir: string,
  use: (spool: PrintSpool) => Promise<Result>,
): Promise<Result> {
  const refuse = refuserOf(temporaryDir);
  // The file has no name any more once the folder is removed, and the system frees it with its last reader.
  const file = await withTemporaryFolder(temporaryDir, (folder) =>
    open(join(folder, 'prints'), 'wx+', 0o600).catch(refuse),
  );
  try {
    return await use(createPrintSpool(file, refuse));
  } finally {
    await file.close();
  }
}

function createPrintSpool(file: FileHandle, refuse: (cause: unknown) => never): PrintSpool {
  const runs: Run[] = [];
  const part = new Int32Array(PART_WORDS);
  let used = 0;

  async function flush(): Promise<void> {
    await file.appendFile(bytesOf(part.subarray(0, used))).catch(refuse);
    used = 0;
  }

  function noteRun(currency: string, words: number): void {
    const last = runs.at(-1);
    if (last?.currency === currency) last.words += words;
    else runs.push({ currency, words });
  }

  return {
    async add({ currency, prints }) {
      noteRun(currency, prints.length);
      for (let at = 0; at < prints.length; ) {
        const room = Math.min(PART_WORDS - used, prints.length - at);
        part.set(prints.subarray(at, at + room), used);
        used += room;
        at += room;
        if (used === PART_WORDS) await flush();
      }
    },

    async *segments() {
      await flush();
      const read = new Int32Array(PART_WORDS);
      let position = 0;
      for (const { currency, words } of runs) {
        for (let left = words; left > 0; ) {
          const prints = read.subarray(0, Math.min(left, PART_WORDS));
          await fill(prints, file, position);
          yield { currency, prints };
          left -= prints.length;
          position += prints.byteLength;
        }
      }
    },
  };
}

async function fill(prints: Int32Array, file: FileHandle, start: number): Promise<void> {
  const bytes = bytesOf(prints);
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new Error(`${filled} of ${bytes.length} bytes of prints are there`);
    filled += bytesRead;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
