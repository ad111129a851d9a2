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
import type { Watched } from './support/read-under-watch.ts';

/** 32 MiB for the objects of a process that reads: a thirtieth of the largest file here. What is freed waits for no other thread. */
const SMALL = ['--max-old-space-size=32', '--max-semi-space-size=1', '--single-threaded-gc'];
/** What is optimised is not counted in full. */
const COUNTABLE = ['--no-opt'];
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** A look at each character for every thing that is searched, and what a bomb may unpack to: to 100 times its size. */
const LOOKS_MAX = 64 * MIB;

const ROW = `${TRON},1,TRX,,\n`;

type Seen = Readonly<{ watched: readonly Watched[]; grownBytes: number }>;

async function readUnderWatch(
  nodeFlags: readonly string[],
  args: readonly string[],
): Promise<Seen> {
  const module = fileURLToPath(buildUrl('test/ingest/hostile/support/read-under-watch.js'));
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeFlags, module, ...args]);
  return JSON.parse(stdout) as Seen;
}

/** `sizeBytes`: the file goes on with zeros up to there, which take no room on the disk. */
type TooLarge = Readonly<{ start: string | Buffer; sizeBytes?: number; outcome: string }>;

const LONG = 'x'.repeat(2 * READ_BYTES);

/** Files that are refused before more than two blocks of them were read. */
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

/** Files that have to be read to their end, or unpacked further than that. */
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
  'a bomb in a bomb': {
    start: gzipSync(gzipSync(Buffer.alloc(64 * MIB))),
    outcome: 'FILE_ENCODING',
  },
};

describe('a file that is made to exhaust who reads it', () => {
  const folder = sharedFolder();
  let seen: Seen;
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
    seen = await readUnderWatch(SMALL, [plain, ...paths]);
  });

  it.each(files.map(([what, file], i) => [what, file, i + 1] as const))(
    'is given its due: %s',
    (what, { outcome }, i) => {
      expect(seen.watched[i]?.outcome).toBe(outcome);
      if (what in TOO_LARGE) expect(seen.watched[i]?.bytesRead).toBeLessThanOrEqual(2 * READ_BYTES);
      expect(seen.watched[i]?.charsLookedAt).toBeLessThan(LOOKS_MAX);
    },
  );

  it('makes a process grow by less than a tenth of what it would have to hold', () => {
    expect(seen.watched).toHaveLength(files.length + 1);
    expect(seen.grownBytes).toBeLessThan(GIB / 10);
  });
});

/** Files that grow with a number, each in a way that a careless reader would take the square of its time for. */
const GROWING: Readonly<Record<string, (lines: number) => string | Buffer>> = {
  rows: (lines) => HEADER + ROW.repeat(lines),
  'rows that are refused': (lines) => HEADER + 'x,y,z,=,@\n'.repeat(lines),
  'rows of nothing but delimiters': (lines) => HEADER + `${','.repeat(20)}\n`.repeat(lines),
  'quoted cells': (lines) => HEADER + `${'"",'.repeat(20)}\n`.repeat(lines),
  'doubled quotes': (lines) => `${HEADER}${`${TRON},1,TRX,"${'""'.repeat(20)}",\n`.repeat(lines)}`,
  'cells of several lines': (lines) => HEADER + `${TRON},1,TRX,"a\n\n\nb",\n`.repeat(lines),
  references: (lines) =>
    HEADER + Array.from({ length: lines }, (_, i) => `${TRON},1,TRX,,R${i}\n`).join(''),
  spaces: (lines) => HEADER + `${' '.repeat(40)}\n`.repeat(lines) + ROW,
  'empty lines before the header': (lines) => ' \n'.repeat(20 * lines) + HEADER + ROW,
  'line ends of Windows': (lines) => (HEADER + ROW.repeat(lines)).replaceAll('\n', '\r\n'),
  'packed line by line': (lines) =>
    Buffer.concat([gzipSync(HEADER), ...Array<Buffer>(lines).fill(gzipSync(ROW))]),
};

describe('the work that a file makes', () => {
  const LINES = 2_000;
  /** Of four times the file: 4 where each line takes as long as any other, 16 where it takes as long as there are lines. */
  const RATIO_MAX = 5;
  const folder = sharedFolder();
  const names = Object.keys(GROWING);
  let seen: Seen['watched'];

  beforeAll(async () => {
    const paths = Object.entries(GROWING).flatMap(([name, make]) =>
      [LINES, 4 * LINES].map((lines) => {
        const path = join(folder, `${name}-${lines}`);
        writeFileSync(path, make(lines));
        return path;
      }),
    );
    seen = (await readUnderWatch(COUNTABLE, ['--steps', ...paths])).watched;
  });

  it.each(names.map((name, i) => [name, i] as const))('grows as the file does: %s', (_, i) => {
    const [one, four] = [seen[2 * i], seen[2 * i + 1]];
    expect(one?.steps).toBeGreaterThan(100);
    expect((four?.steps ?? 0) / (one?.steps ?? 1)).toBeLessThan(RATIO_MAX);
    expect((four?.charsLookedAt ?? 0) / (one?.charsLookedAt ?? 1)).toBeLessThan(RATIO_MAX);
  });
});
