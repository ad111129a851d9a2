/** Something to look for, and what it is. */
export type Wanted = Readonly<{ name: string; bytes: Buffer }>;

/** Shorter ones would be found in everything. */
const LENGTH_MIN = 8;
/** So many first bytes say which of the wanted it can be. */
const START_BYTES = 4;

/** Every way in which a text could stand in a file: as it is, and as programs write it, alone or within something longer. */
export function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((before) => base64After(bytes, before));
  const forms = [
    ...[text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), hex, hex.toUpperCase()],
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)]
    .filter(({ length }) => length >= LENGTH_MIN)
    .map((form) => Buffer.from(form));
}

/** The letters of base64 that stand for these bytes alone, where so many other bytes come before them, up to a multiple of 3. */
function base64After(bytes: Buffer, before: number): string {
  const letters = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const isWhole = (before + bytes.length) % 3 === 0;
  const end = isWhole ? letters.length : letters.replace(/=+$/, '').length - 1;
  return letters.slice(before === 0 ? 0 : before + 1, end);
}

/** Looks for all of them in one pass over any number of bytes; answers the names of those that are there. */
export function createSearch(wanted: readonly Wanted[]) {
  const byStart = new Map<number, Wanted[]>();
  const mayStart = new Uint8Array(65_536);
  for (const one of wanted) {
    const start = one.bytes.readUInt32BE(0);
    byStart.set(start, [...(byStart.get(start) ?? []), one]);
    mayStart[start >>> 16] = 1;
  }
  const overlap = Math.max(0, ...wanted.map(({ bytes }) => bytes.length - 1));

  function lookIn(bytes: Buffer, found: Set<string>): void {
    for (let at = 0; at + START_BYTES <= bytes.length; at += 1) {
      if (mayStart[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] === 0) continue;
      for (const one of byStart.get(bytes.readUInt32BE(at)) ?? []) {
        const end = at + one.bytes.length;
        if (bytes.subarray(at, end).equals(one.bytes)) found.add(one.name);
      }
    }
  }

  return async (pieces: AsyncIterable<Buffer>): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    let rest = Buffer.alloc(0);
    for await (const piece of pieces) {
      const bytes = Buffer.concat([rest, piece]);
      lookIn(bytes, found);
      rest = bytes.subarray(Math.max(0, bytes.length - overlap));
    }
    return found;
  };
}
