import { isUtf8 } from 'node:buffer';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { withHead } from './head.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The first bytes of files that are no UTF-8 text. The order matters: UTF-32 starts as UTF-16 does. */
const OTHER_CONTENT: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe, 0x00, 0x00], 'UTF-32'],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x50, 0x4b, 0x03, 0x04], 'an Excel workbook or another zip archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook'],
  [[0x1f, 0x8b], 'gzip inside gzip'],
];
const HEAD_BYTES = 4;

/** UTF-8 characters have at most four bytes, so that at most three belong to one that is not complete. */
const CHARACTER_BYTES_MAX = 4;

/**
 * Decodes UTF-8 without guessing: the byte order mark is left out, and anything that is not UTF-8 is refused. Throws
 * FILE_ENCODING with the encoding that the file seems to have.
 */
export async function* decodeUtf8(
  source: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<string> {
  const { head, blocks } = await withHead(source, HEAD_BYTES);
  const other = otherContent(head);
  if (other !== undefined) throw new BursarError('FILE_ENCODING', { file, encoding: other });
  let isFirst = true;
  let rest: Buffer = Buffer.alloc(0);
  for await (const block of blocks) {
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    const end = completeLength(bytes);
    rest = bytes.subarray(end);
    const hasMark = isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    isFirst = false;
    yield decode(bytes.subarray(hasMark ? BYTE_ORDER_MARK.length : 0, end), file);
  }
  if (rest.length > 0) yield decode(rest, file);
}

function decode(bytes: Buffer, file: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new BursarError('FILE_ENCODING', { file, encoding: 'Latin-1 or Windows-1252' });
}

/** A header starts with a letter, so a zero byte next to it can only be half of a wider character. */
function otherContent(head: Buffer): string | undefined {
  const known = OTHER_CONTENT.find(([magic]) => magic.every((byte, i) => head[i] === byte));
  if (known !== undefined) return known[1];
  return head[0] === 0 || head[1] === 0 ? 'UTF-16' : undefined;
}

/** How many of the bytes are whole characters, leaving aside a last one whose other bytes are still to come. */
function completeLength(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - (CHARACTER_BYTES_MAX - 1));
  for (let i = bytes.length - 1; i >= earliest; i--) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return i + characterBytes(byte) > bytes.length ? i : bytes.length;
  }
  return bytes.length;
}

const characterBytes = (firstByte: number): number =>
  firstByte >= 0xf0 ? 4 : firstByte >= 0xe0 ? 3 : 2;
