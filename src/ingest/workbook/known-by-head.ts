import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { StreamWithHead } from '../stream-head.ts';
import { wholeOf } from './open-workbook.ts';

/** First bytes of a file that show its format. */
export const HEAD_BYTES = 4;

/** A zip archive with parts, and one without. */
const ZIP = [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('PK\x05\x06', 'latin1')];

/** Whether a file is a zip archive, as each workbook (.xlsx) is. */
export const isZip = (head: Buffer): boolean => ZIP.some((magic) => startsWith(head, magic));

/** The container of old workbooks, and of new ones with a password. */
const OLE = Buffer.from('d0cf11e0', 'hex');

/** The stream in that container with the content that the password protects. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Refuses an old workbook, and one with a password. @throws FILE_FORMAT, WORKBOOK_TOO_LARGE */
export async function refuseOldWorkbook(
  { head, blocks }: StreamWithHead,
  file: string,
): Promise<void> {
  if (!startsWith(head, OLE)) return;
  const format = (await wholeOf(blocks, file)).includes(ENCRYPTED) ? 'password' : 'xls';
  throw new BursarError('FILE_FORMAT', { file, format });
}

const startsWith = (head: Buffer, magic: Buffer): boolean =>
  head.subarray(0, magic.length).equals(magic);
