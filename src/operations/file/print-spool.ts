import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY_WORDS } from '../../domain/payees/identity.ts';
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
type Run = { currency: string; rows: number };

/** A row in the file: its fingerprint, then its identities. */
const ROW_WORDS = PRINT_WORDS + IDENTITY_WORDS;

const NO_IDENTITIES = new Int32Array();

/** The rows of one write or read: 96 KiB. */
const PART_ROWS = 2_048;

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
  const part = new Int32Array(PART_ROWS * ROW_WORDS);
  let used = 0;

  async function flush(): Promise<void> {
    await file.appendFile(bytesOf(part.subarray(0, used))).catch(refuse);
    used = 0;
  }

  function noteRun(currency: string, rows: number): void {
    const last = runs.at(-1);
    if (last?.currency === currency) last.rows += rows;
    else runs.push({ currency, rows });
  }

  return {
    async add({ currency, prints, identities = NO_IDENTITIES }) {
      const rows = prints.length / PRINT_WORDS;
      noteRun(currency, rows);
      for (let row = 0; row < rows; row += 1) {
        const named = row * IDENTITY_WORDS;
        part.set(prints.subarray(row * PRINT_WORDS, (row + 1) * PRINT_WORDS), used);
        part.fill(0, used + PRINT_WORDS, used + ROW_WORDS);
        part.set(identities.subarray(named, named + IDENTITY_WORDS), used + PRINT_WORDS);
        used += ROW_WORDS;
        if (used === part.length) await flush();
      }
    },

    async *segments() {
      await flush();
      const read = new Int32Array(PART_ROWS * ROW_WORDS);
      let position = 0;
      for (const { currency, rows } of runs) {
        for (let left = rows; left > 0; ) {
          const words = read.subarray(0, Math.min(left, PART_ROWS) * ROW_WORDS);
          await fill(words, file, position);
          yield { currency, ...segmentOf(words) };
          left -= words.length / ROW_WORDS;
          position += words.byteLength;
        }
      }
    },
  };
}

/** Parts the rows of the file into fingerprints and identities. */
function segmentOf(words: Int32Array) {
  const rows = words.length / ROW_WORDS;
  const prints = new Int32Array(rows * PRINT_WORDS);
  const identities = new Int32Array(rows * IDENTITY_WORDS);
  for (let row = 0; row < rows; row += 1) {
    const at = row * ROW_WORDS;
    prints.set(words.subarray(at, at + PRINT_WORDS), row * PRINT_WORDS);
    identities.set(words.subarray(at + PRINT_WORDS, at + ROW_WORDS), row * IDENTITY_WORDS);
  }
  return { prints, identities };
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
