import { crc32 } from 'node:zlib';

/** A part of an archive. */
export type StoredPart = Readonly<{ name: string; text: string }>;

/** Signatures of a part, of its entry in the list, and of the end; version 2.0, names in UTF-8, 1 January 1980. */
const PART = Buffer.from('PK\x03\x04', 'latin1');
const ENTRY = Buffer.from('PK\x01\x02\x14\x00', 'latin1');
const END = Buffer.from('PK\x05\x06', 'latin1');
const VERSION = 20;
const UTF8_NAMES = 0x800;
const DATE = 0x21;

/** A zip archive of parts that are not packed. It is small: nothing of it needs 64 bits. */
export function storedZip(parts: readonly StoredPart[]): Buffer {
  const before: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of parts) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const head = headOf(path.length, bytes);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    list.push(ENTRY, head, place, path);
    before.push(PART, head, path, bytes);
    offset += PART.length + head.length + path.length + bytes.length;
  }
  const listBytes = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(listBytes.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...before, listBytes, END, end]);
}

/** The fields that a part and its entry share. */
function headOf(nameBytes: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(UTF8_NAMES, 2);
  head.writeUInt16LE(DATE, 8);
  head.writeUInt32LE(crc32(bytes), 10);
  head.writeUInt32LE(bytes.length, 14);
  head.writeUInt32LE(bytes.length, 18);
  head.writeUInt16LE(nameBytes, 22);
  return head;
}
