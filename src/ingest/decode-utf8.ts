import { isUtf8 } from 'node:buffer';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { readStreamHead } from './stream-head.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** First bytes of files in other formats. The order matters, as UTF-32 starts like UTF-16. */
const OTHER_CONTENT: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe, 0x00, 0x00], 'UTF-32'],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x1f, 0x8b], 'gzip inside gzip'],
];
const HEAD_BYTES = 4;

/** Bytes of the longest UTF-8 character. An incomplete one has at most three. */
const CHARACTER_BYTES_MAX = 4;

/**
 * Decodes strict UTF-8, and drops the byte order mark.
 * @throws FILE_ENCODING for anything else, with the probable format of the file.
 */
export async function* decodeUtf8(
  source: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<string> {
  const { head, blocks } = await readStreamHead(source, HEAD_BYTES);
  const other = otherContent(head);
  if (other !== undefined) throw new BursarError('FILE_ENCODING', { file, encoding: other });
  let isFirst = true;
  let incomplete: Buffer = Buffer.alloc(0);
  for await (const block of blocks) {
    const bytes = incomplete.length === 0 ? block : Buffer.concat([incomplete, block]);
    const end = completeLength(bytes);
    incomplete = bytes.subarray(end);
    const hasMark = isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    isFirst = false;
    yield decode(bytes.subarray(hasMark ? BYTE_ORDER_MARK.length : 0, end), file);
  }
  if (incomplete.length > 0) yield decode(incomplete, file);
}

function decode(bytes: Buffer, file: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new BursarError('FILE_ENCODING', { file, encoding: 'Latin-1 or Windows-1252' });
}

/**
 * Returns the format of a file that is not UTF-8. A zero byte beside a letter is half of UTF-16.
 */
function otherContent(head: Buffer): string | undefined {
  const match = OTHER_CONTENT.find(([magic]) => magic.every((byte, i) => head[i] === byte));
  if (match !== undefined) return match[1];
  return head[0] === 0 || head[1] === 0 ? 'UTF-16' : undefined;
}

/** Returns the number of bytes without an incomplete last character. */
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
