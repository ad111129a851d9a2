import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { type Draft, type Drafts, startDrafts } from './drafts.ts';
import { noteOf } from '../domain/errors/bursar-error.ts';
import { createLineWriter, sheetHeader } from './sheet.ts';

/** Excludes every other file name, so that a wrong call never replaces the merchant's own file. */
const NACK_FILE = /^[\w.-]*nack\.csv$/;

export type RefusedRowsInput = Readonly<{
  /** The folder, which is made if needed. */
  dir: string;
  /** Name of the file, such as `nack.csv` or `payroll.nack.csv`. */
  file: string;
  refused: AsyncIterable<RefusedRow> | Iterable<RefusedRow>;
}>;

/**
 * Writes the reasons for refused rows to a file. Returns its name.
 * Without refused rows it writes no file, and removes an old one.
 */
export async function writeRefusedRows(
  { dir, file, refused }: RefusedRowsInput,
  disk: Disk = nodeDisk,
): Promise<{ files: string[] }> {
  if (!NACK_FILE.test(file)) throw new RangeError(`"${file}" is not a valid name of a nack.csv`);
  const drafts = await startDrafts(disk, dir);
  try {
    const sheet = createRefusedRowsSheet(drafts, file);
    for await (const row of refused) {
      sheet.add(row);
      if (drafts.isFull()) await drafts.flush();
    }
    return { files: await drafts.publish([file]) };
  } catch (cause) {
    await drafts.discard();
    throw cause;
  }
}

const COLUMNS = ['row', 'column', 'code', 'value', 'what', 'why', 'fix'];
const writeLine = createLineWriter(COLUMNS.length);

const lineOf = ({ row, column, code, value, facts }: RefusedRow): string => {
  const { what, why, fix } = noteOf(code, facts);
  return writeLine([String(row), column, code, value, what, why, fix]);
};

/** Starts a nack.csv. A refused row has one line for each reason. */
export function createRefusedRowsSheet(
  drafts: Drafts,
  name: string,
): { add(refused: RefusedRow): void } {
  const draft: Draft = drafts.draft(name, sheetHeader(COLUMNS));
  return { add: (refused) => draft.add(lineOf(refused)) };
}
