import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildUrl } from '../support/child.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';

const ROWS = 250_000;

/**
 * Memory limit for the objects of a process, in MiB. Import, plan and report need about 22, for
 * 20,000 rows and for 250,000. Kept rows would need 50 more.
 */
const HEAP_MIB = 44;

const TIME_MAX_MS = 180_000;

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-large-'));
  file = join(folder, 'large.csv');
  const line = (_: unknown, i: number): string => {
    const digits = createHash('sha256').update(String(i)).digest('hex').slice(0, 40);
    return `0x${digits},1,USDT_ERC20,Salary November 2026 no. ${i}\n`;
  };
  writeFileSync(
    file,
    `address,amount,currency,comment\n${Array.from({ length: ROWS }, line).join('')}`,
  );
});

/** Runs a compiled module under the memory limit. Returns its output. Throws `stderr` when it fails. */
async function underCeiling(module: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${HEAP_MIB}`, fileURLToPath(buildUrl(module)), ...args],
    { cwd: folder, env: { BURSAR_API_ACCOUNT: ACCOUNT }, maxBuffer: 2 ** 26 },
  );
  return JSON.parse(stdout);
}

const payLargeFile = (...more: string[]): Promise<unknown> => {
  const place = mkdtempSync(join(folder, 'pay-'));
  return underCeiling('test/ingest/support/pay-large-file.js', [file, place, ...more]);
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a file of a quarter of a million rows', () => {
  it(
    'is imported, planned with a history as large, and reported within a memory limit',
    async () => {
      const { report } = (await payLargeFile()) as { report: unknown };
      expect(report).toEqual({
        rows: {
          total: ROWS,
          paid: ROWS - 1_000,
          failed: 1_000,
          unknown: 0,
          notSent: 0,
          inFlight: 0,
        },
        findings: [
          `FIRST_TIME_PAYEE ${ROWS}`,
          `ADDRESS_WITHOUT_CHECKSUM ${ROWS}`,
          `SAME_FILE_AGAIN ${ROWS}`,
        ],
      });
    },
    TIME_MAX_MS,
  );

  it(
    'would exceed that limit with all rows in memory',
    async () => {
      await expect(payLargeFile('keep')).rejects.toMatchObject({
        stderr: expect.stringContaining('heap out of memory'),
      });
    },
    TIME_MAX_MS,
  );

  it(
    'is shown by bursar plan within the same limit',
    async () => {
      const view = await underCeiling('programs/starter.js', [
        'plan',
        file,
        '--no-out',
        '-o',
        'json',
      ]);
      expect(view).toMatchObject({ rows: { accepted: ROWS, refused: 0 }, problems: [] });
    },
    TIME_MAX_MS,
  );
});
