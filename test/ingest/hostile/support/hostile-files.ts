import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { TRON, TRON_2 } from '../../support/ingest.ts';

/** Valid and invalid cells, before quoting. */
const cell = {
  address: fc.constantFrom(TRON, TRON, TRON_2, ` ${TRON}`, `${TRON}\u200b`, '=1+1', ''),
  amount: fc.constantFrom('1', '2.50', '0.000001', '1000000', '0', '1e5', '1,5', '-1', '007', ''),
  currency: fc.constantFrom('TRX', 'TRX', 'TRX', 'USDT_TRC20', 'FOO_BAR', 'trx', ''),
  comment: fc.constantFrom(
    '',
    'salary',
    'a "b" c',
    'two\nlines',
    'a\nb, c; d\te',
    '\u{1F680}',
    '@a',
  ),
  reference: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-f]{1,3}$/)),
  name: fc.constantFrom('', 'ann', 'Bob Lee', 'two\nlines', '-1', '=1'),
};
const NAMES = ['address', 'amount', 'currency', 'comment', 'reference', 'name'] as const;
type Cells = Readonly<Record<(typeof NAMES)[number], string>>;

type Style = Readonly<{
  delimiter: string;
  lineEnd: string;
  isAllQuoted: boolean;
  start: string;
  end: string;
  columns: readonly (keyof Cells)[];
}>;

const style: fc.Arbitrary<Style> = fc.record({
  delimiter: fc.constantFrom(',', ',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  isAllQuoted: fc.boolean(),
  start: fc.constantFrom(
    '',
    '\uFEFF',
    '\n \r\n',
    '# rows=3 total=1.50:TRX\n',
    '\n#rows=1,,,\n',
    '# r\n',
  ),
  end: fc.constantFrom('', '\n', '\n\n  \n'),
  columns: fc.shuffledSubarray([...NAMES], { minLength: 3 }),
});

/** A file with a valid form and any cells. */
export const wellFormed: fc.Arbitrary<Buffer> = fc
  .tuple(fc.array(fc.record(cell), { maxLength: 6 }), style)
  .map(([rows, how]) => Buffer.from(written(rows, how)));

function written(rows: readonly Cells[], how: Style): string {
  const { delimiter, lineEnd, isAllQuoted, start, end, columns } = how;
  const quoted = (text: string): string =>
    isAllQuoted || /["\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((cells) => columns.map((column) => quoted(cells[column])));
  return start + [[...columns], ...lines].map((line) => line.join(delimiter)).join(lineEnd) + end;
}

/** Bytes that readers treat in different ways. */
const morsel: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .constantFrom('"', '""', '"\n', '",', '\n', '\r', '\r\n', '\r\r\n', ',', ';', '\t', ' ', '#')
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom('\0', '\uFEFF', '\u2028', '\u00a0', '\u202e', '\u{1F680}', '=', "'", '\\"', 'x')
    .map((text) => Buffer.from(text)),
  // UTF-16 marks, half characters, overlong and surrogate encodings, the starts of archives.
  fc
    .constantFrom(
      'fffe',
      'feff',
      'c3',
      'e282',
      'c0af',
      'eda080',
      'f4908080',
      '80',
      '1f8b',
      '504b0304',
    )
    .map((hex) => Buffer.from(hex, 'hex')),
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
);

type Damage = (bytes: Buffer) => Buffer;
const place = fc.nat(1_000_000);
const length = fc.nat(12);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(
    ([at, bit]): Damage =>
      (bytes) => {
        const flipped = Buffer.from(bytes);
        const index = at % Math.max(1, bytes.length);
        flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
        return flipped;
      },
  ),
  fc.tuple(place, length).map(
    ([at, count]): Damage =>
      (bytes) => {
        const index = at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + count)]);
      },
  ),
  fc.tuple(place, morsel).map(
    ([at, piece]): Damage =>
      (bytes) => {
        const index = at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, index), piece, bytes.subarray(index)]);
      },
  ),
  fc.tuple(place, place).map(
    ([from, to]): Damage =>
      (bytes) => {
        const [start = 0, end = 0] = [from % (bytes.length + 1), to % (bytes.length + 1)].sort(
          (a, b) => a - b,
        );
        return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
      },
  ),
  place.map(
    (at): Damage =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
  fc.tuple(place, wellFormed).map(
    ([at, other]): Damage =>
      (bytes) => {
        const index = at % (bytes.length + 1);
        return Buffer.concat([
          bytes.subarray(0, index),
          other.subarray(index % (other.length + 1)),
        ]);
      },
  ),
);

/** A well-formed file with up to four damages. One of eight is packed, before or after them. */
export const damagedFile: fc.Arbitrary<Buffer> = fc
  .tuple(wellFormed, fc.array(damage, { maxLength: 4 }), fc.nat(15))
  .map(([file, damages, packing]) => {
    const start = packing === 0 ? gzipSync(file) : file;
    const end = damages.reduce((bytes, spoil) => spoil(bytes), start);
    return packing === 1 ? gzipSync(end) : end;
  });
