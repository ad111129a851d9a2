import { execFile } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { READ_BYTES } from '../../../src/ingest/limits.ts';
import { buildUrl } from '../../support/child.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { HEADER, TRON } from '../support/ingest.ts';
import { sheetOf, workbookParts, zipOf } from '../support/workbook.ts';
import type { MeasuredImport } from './support/measure-reading.ts';

/** 32 MiB for objects: a thirtieth of the largest file. Garbage is collected in the same thread. */
const SMALL = ['--max-old-space-size=32', '--max-semi-space-size=1', '--single-threaded-gc'];
/** Optimised code is not counted in full, so this run is not optimised. */
const COUNTABLE = ['--no-opt'];
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** Searched characters of one file: each one several times, also in a bomb of 100 times its size. */
const SEARCHED_CHARS_MAX = 64 * MIB;

const ROW = `${TRON},1,TRX,,\n`;

type Measured = Readonly<{ imports: readonly MeasuredImport[]; grownBytes: number }>;

async function measureReading(
  nodeFlags: readonly string[],
  args: readonly string[],
): Promise<Measured> {
  const module = fileURLToPath(buildUrl('test/ingest/hostile/support/measure-reading.js'));
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeFlags, module, ...args]);
  return JSON.parse(stdout) as Measured;
}

/** `sizeBytes`: the size of the file. Zeros after `start` take no space on disk. */
type TooLarge = Readonly<{ start: string | Buffer; sizeBytes?: number; outcome: string }>;

const LONG = 'x'.repeat(2 * READ_BYTES);

/** Files that are refused within two blocks. */
const TOO_LARGE: Readonly<Record<string, TooLarge>> = {
  'a line of 1 GiB': { start: HEADER + LONG, sizeBytes: GIB, outcome: 'ROW_TOO_LONG 2' },
  'a cell of 1 GiB in quotes': {
    start: `${HEADER}"${LONG}`,
    sizeBytes: GIB,
    outcome: 'QUOTE_UNCLOSED 2',
  },
  'a cell of a million lines': {
    start: `${HEADER}"${'\n'.repeat(MIB)}`,
    outcome: 'QUOTE_UNCLOSED 2',
  },
  'a header of 1 GiB': { start: LONG, sizeBytes: GIB, outcome: 'ROW_TOO_LONG 1' },
  'control totals of 1 GiB': { start: `#${LONG}`, sizeBytes: GIB, outcome: 'ROW_TOO_LONG 1' },
  'spaces before the header, 1 GiB': {
    start: ' '.repeat(2 * READ_BYTES),
    sizeBytes: GIB,
    outcome: 'ROW_TOO_LONG 1',
  },
  'a header of 200,000 columns': { start: 'a,'.repeat(200_000), outcome: 'ROW_TOO_LONG 1' },
  'a row of 200,000 cells': {
    start: `${HEADER}${','.repeat(200_000)}\n`,
    outcome: 'ROW_TOO_LONG 2',
  },
  'a row of 200,000 cells in quotes': {
    start: `${HEADER}${'"",'.repeat(200_000)}\n`,
    outcome: 'ROW_TOO_LONG 2',
  },
  'two million quotes': { start: HEADER + '"'.repeat(2_000_000), outcome: 'QUOTE_UNCLOSED 2' },
  'carriage returns alone': { start: HEADER + '\r'.repeat(MIB), outcome: 'LINE_BREAK_BARE 2' },
};

/** Files that must be read to their end, or unpacked further. */
const LARGE: Readonly<Record<string, TooLarge>> = {
  'a million empty lines, and a row': {
    start: HEADER + '\n'.repeat(1_000_000) + ROW,
    outcome: '1 0',
  },
  'a million empty lines before the header': {
    start: '\n'.repeat(1_000_000) + HEADER + ROW,
    outcome: '1 0',
  },
  'a million empty lines alone': { start: ' \n'.repeat(500_000), outcome: 'FILE_EMPTY' },
  'a bomb of 64 MiB': {
    start: gzipSync(HEADER + '\n'.repeat(64 * MIB)),
    outcome: 'FILE_COMPRESSION',
  },
  'a bomb of 64 MiB without line ends': {
    start: gzipSync(HEADER + ' '.repeat(64 * MIB)),
    outcome: 'ROW_TOO_LONG 2',
  },
  'a workbook with a bomb of 64 MiB': {
    start: zipOf([
      ...workbookParts([{ name: 'Sheet1', rows: [['address']] }]).map(({ name, content }) =>
        name.includes('sheet1') ? { name, content: ' '.repeat(64 * MIB) } : { name, content },
      ),
    ]),
    outcome: 'WORKBOOK_TOO_LARGE',
  },
  'a workbook whose rows are of one cell each': {
    start: sheetOf([
      ['address', 'amount', 'currency'],
      ...Array.from({ length: 50_000 }, () => [TRON]),
    ]),
    outcome: '0 50000',
  },
  'a bomb in a bomb': {
    start: gzipSync(gzipSync(Buffer.alloc(64 * MIB))),
    outcome: 'FILE_ENCODING',
  },
};

describe('a file that is made to exhaust its reader', () => {
  const folder = sharedFolder();
  let measured: Measured;
  const files = Object.entries({ ...TOO_LARGE, ...LARGE });

  beforeAll(async () => {
    const plain = join(folder, 'plain.csv');
    writeFileSync(plain, HEADER + ROW);
    const paths = files.map(([, { start, sizeBytes }], i) => {
      const path = join(folder, `${i}.csv`);
      writeFileSync(path, start);
      if (sizeBytes !== undefined) truncateSync(path, sizeBytes);
      return path;
    });
    measured = await measureReading(SMALL, [plain, ...paths]);
  });

  it.each(files.map(([what, file], i) => [what, file, i + 1] as const))(
    'has its expected result: %s',
    (what, { outcome }, i) => {
      expect(measured.imports[i]?.outcome).toBe(outcome);
      if (what in TOO_LARGE)
        expect(measured.imports[i]?.bytesRead).toBeLessThanOrEqual(2 * READ_BYTES);
      expect(measured.imports[i]?.charsSearched).toBeLessThan(SEARCHED_CHARS_MAX);
    },
  );

  it('makes a process grow by less than a tenth of the file', () => {
    expect(measured.imports).toHaveLength(files.length + 1);
    expect(measured.grownBytes).toBeLessThan(GIB / 10);
  });
});

/** Files with `lines` lines, which take a careless reader quadratic time. */
const GROWING: Readonly<Record<string, (lines: number) => string | Buffer>> = {
  rows: (lines) => HEADER + ROW.repeat(lines),
  'rows that are refused': (lines) => HEADER + 'x,y,z,=,@\n'.repeat(lines),
  'rows of nothing but delimiters': (lines) => HEADER + `${','.repeat(20)}\n`.repeat(lines) + ROW,
  'quoted cells': (lines) => HEADER + `x,${'"",'.repeat(20)}\n`.repeat(lines),
  'doubled quotes': (lines) => `${HEADER}${`${TRON},1,TRX,"${'""'.repeat(20)}",\n`.repeat(lines)}`,
  'cells of several lines': (lines) => HEADER + `${TRON},1,TRX,"a\n\n\nb",\n`.repeat(lines),
  references: (lines) =>
    HEADER + Array.from({ length: lines }, (_, i) => `${TRON},1,TRX,,R${i}\n`).join(''),
  spaces: (lines) => HEADER + `${' '.repeat(40)}\n`.repeat(lines) + ROW,
  'empty lines before the header': (lines) => ' \n'.repeat(20 * lines) + HEADER + ROW,
  'line ends of Windows': (lines) => (HEADER + ROW.repeat(lines)).replaceAll('\n', '\r\n'),
  'rows of a sheet': (lines) =>
    sheetOf([
      ['address', 'amount', 'currency'],
      ...Array.from({ length: lines }, () => [TRON, '1', 'TRX']),
    ]),
  'packed line by line': (lines) =>
    Buffer.concat([gzipSync(HEADER), ...Array<Buffer>(lines).fill(gzipSync(ROW))]),
};

describe('the work for a file', () => {
  const LINES = 2_000;
  /** Steps for four times the file: 4 in linear time, 16 in quadratic time. */
  const RATIO_MAX = 5;
  const folder = sharedFolder();
  const names = Object.keys(GROWING);
  let measured: Measured['imports'];

  beforeAll(async () => {
    const paths = Object.entries(GROWING).flatMap(([name, make]) =>
      [LINES, 4 * LINES].map((lines) => {
        const path = join(folder, `${name}-${lines}`);
        writeFileSync(path, make(lines));
        return path;
      }),
    );
    measured = (await measureReading(COUNTABLE, ['--steps', ...paths])).imports;
  });

  it.each(names.map((name, i) => [name, i] as const))(
    'grows linearly with the file: %s',
    (_, i) => {
      const [one, four] = [measured[2 * i], measured[2 * i + 1]];
      expect(one?.steps).toBeGreaterThan(100);
      expect((four?.steps ?? 0) / (one?.steps ?? 1)).toBeLessThan(RATIO_MAX);
      expect((four?.charsSearched ?? 0) / (one?.charsSearched ?? 1)).toBeLessThan(RATIO_MAX);
    },
  );
});
