import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBursarError } from '../../src/domain/errors/bursar-error.ts';
import type { IngestOptions } from '../../src/ingest/index.ts';
import { BLOCKS_ALONE, READ_BYTES } from '../../src/ingest/limits.ts';
import { buildUrl } from '../support/child.ts';
import { payoutFile } from '../support/payout-files.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CORPUS } from './hostile/corpus.ts';
import { damagedFile } from './hostile/support/hostile-files.ts';
import {
  BLOCK_THREAD,
  EVM,
  HEADER,
  type Ingested,
  ingestPath,
  ingestText,
  TRON,
} from './support/ingest.ts';

const ALONE: Partial<IngestOptions> = { threads: { threads: 1 } };
const IN_THREADS: Partial<IngestOptions> = {
  threads: { threads: 2, blocksAlone: 1, module: BLOCK_THREAD },
};

type Outcome = Ingested | Readonly<{ refusal: unknown }>;

async function outcomeOf(path: string, options: Partial<IngestOptions>): Promise<Outcome> {
  try {
    return await ingestPath(path, options);
  } catch (error) {
    if (!isBursarError(error) || error.code === 'INTERNAL') throw error;
    return { refusal: { code: error.code, facts: error.facts } };
  }
}

/** Fails unless both ways give the same chunks, fingerprints, hashes, refusals, findings and totals. */
async function expectSame(
  content: string | Uint8Array,
  options: Partial<IngestOptions>,
): Promise<Outcome> {
  const path = join(temporaryFolder(), 'payouts.csv');
  writeFileSync(path, content);
  const alone = await outcomeOf(path, { ...options, ...ALONE });
  expect(await outcomeOf(path, { ...options, ...IN_THREADS })).toEqual(alone);
  return alone;
}

describe('an import in threads gives what the calling thread alone gives', () => {
  it.each(Object.entries(CORPUS))('for hostile files: %s', async (_fault, files) => {
    for (const [, content] of files) {
      await expectSame(content, { readBytes: 40, chunkRows: 2, canaryRows: 1 });
    }
  });

  it('for any damaged file', async () => {
    await fc.assert(
      fc.asyncProperty(
        damagedFile,
        fc.integer({ min: 1, max: 200 }),
        async (content, readBytes) => {
          await expectSame(content, { readBytes, chunkRows: 3 });
        },
      ),
      { numRuns: 40, seed: 1 },
    );
  });

  it('for a file of several currencies with bad rows, limits and blocks of any size', async () => {
    const content = payoutFile({
      rows: 4_000,
      currencies: ['USDT_TRC20', 'ETH', 'BTC', 'USDT_BEP20', 'LTC'],
      badEvery: 7,
    });
    for (const [readBytes, chunkRows] of [
      [500, 1],
      [3_000, 37],
      [65_536, 1_000],
    ] as const) {
      const outcome = await expectSame(content, {
        readBytes,
        chunkRows,
        canaryRows: 3,
        limits: {
          row: [{ currency: 'ETH', amount: '1' }],
          payee: [{ currency: 'USDT_TRC20', amount: '1' }],
        },
      });
      expect(outcome).toMatchObject({ summary: { rows: 4_000 } });
    }
  });

  it('for references that come again in later blocks, also in rows that are refused', async () => {
    const line = (_: unknown, i: number): string =>
      `${i % 5 === 0 ? 'T' : TRON},${i + 1},TRX,,R${i % 40}\n`;
    const content = HEADER + Array.from({ length: 100 }, line).join('');
    const outcome = await expectSame(content, { readBytes: 300, chunkRows: 10 });
    expect(outcome).toMatchObject({ summary: { rows: 100, refusedRows: 68 } });
  });

  it('for too many currencies and for too many rows', async () => {
    const line = (_: unknown, i: number): string => `${EVM},1,C${i}_X,,\n`;
    const content = HEADER + Array.from({ length: 70 }, line).join('');
    const currencies = await expectSame(content, { readBytes: 200 });
    expect(currencies).toMatchObject({ refusal: { code: 'FILE_TOO_MANY_CURRENCIES' } });
    const rows = await expectSame(content, { readBytes: 200, rowsMax: 40 });
    expect(rows).toMatchObject({ refusal: { code: 'FILE_TOO_MANY_ROWS' } });
  });
});

describe('an import in threads ends', () => {
  const content = payoutFile({ rows: 500, currencies: ['TRX'], badEvery: 0 });
  const withThread = (program: string): Partial<IngestOptions> => ({
    readBytes: 1_000,
    threads: {
      threads: 2,
      blocksAlone: 1,
      module: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    },
  });

  it.each([
    ['a thread ends', 'process.exit(3)', 'ended with code 3'],
    ['a thread throws', 'throw new Error("broken")', 'broken'],
    [
      'a thread has too little memory',
      'const kept = []; for (;;) kept.push(Array.from({ length: 1e6 }, Math.random))',
      'memory limit',
    ],
  ])('with READING_CUT_OFF when %s', async (_, program, reason) => {
    await expect(ingestText(content, withThread(program))).rejects.toMatchObject({
      code: 'READING_CUT_OFF',
      facts: { file: 'payouts.csv', reason: expect.stringContaining(reason) },
    });
  });

  it('when it is canceled, with the reason and without its threads', async () => {
    const canceled = new AbortController();
    const threads = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = threads();
    await expect(
      ingestText(content, {
        ...IN_THREADS,
        readBytes: 1_000,
        signal: canceled.signal,
        onProgress: ({ rows }) => {
          if (rows <= 100) return;
          expect(threads()).toBeGreaterThan(before);
          canceled.abort(new Error('canceled'));
        },
      }),
    ).rejects.toThrow('canceled');
    expect(threads()).toBe(before);
  });
});

it('the bundled command line finds the program of its threads', async () => {
  const rows = 20_000;
  const comment = 'Salary '.repeat(65);
  const line = (_: unknown, i: number): string => `${TRON},${i + 1},TRX,${comment},\n`;
  const path = join(temporaryFolder(), 'payouts.csv');
  writeFileSync(path, HEADER + Array.from({ length: rows }, line).join(''));
  expect(statSync(path).size).toBeGreaterThan((BLOCKS_ALONE + 1) * READ_BYTES);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(buildUrl('programs/starter.js')), 'plan', path, '--no-out', '-o', 'json'],
    { cwd: temporaryFolder(), env: { BURSAR_API_ACCOUNT: ACCOUNT }, maxBuffer: 2 ** 26 },
  );
  expect(JSON.parse(stdout)).toMatchObject({ rows: { accepted: rows, refused: 0 } });
});
