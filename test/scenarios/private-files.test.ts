import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(300_000);

let stack: TestStack;
let mask: number;

beforeAll(async () => {
  // The loosest mask that a program can be started with.
  mask = process.umask(0);
  stack = await startTestStack({ folder: sharedFolder() });
});
afterAll(async () => {
  process.umask(mask);
  await stack.stop();
});

/** Files of the test itself. */
const OURS = ['payroll.csv', 'secret'];

/** Every file and folder below one that group or others may read, write or open, with its mode. */
function looseIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const mode = lstatSync(path).mode & 0o777;
    const loose = (mode & 0o077) === 0 ? [] : [`${mode.toString(8)} ${path}`];
    return [...loose, ...(entry.isDirectory() ? looseIn(path) : [])];
  });
}

it('group and others may read none of the files that a batch leaves, under any mask of its programs', async () => {
  const { batchId, folder } = stack;
  const rows = sampleRows({ rows: 12, currencies: ['USDT_TRC20'] });
  writeSample(join(folder, 'payroll.csv'), rows);
  await stack.bursar('plan', 'payroll.csv', '--id', batchId);
  const { code } = await stack.bursar('submit', 'payroll.csv', '--id', batchId, '--yes');
  expect(code).toBe(0);
  const names = readdirSync(folder, { recursive: true }).map(String);
  for (const one of ['store.db', 'store.db-wal', 'sandbox.db', `runs/${batchId}/report.json`]) {
    expect(names).toContain(one);
  }
  expect(names.some((name) => /^blobs\/[0-9a-f]{64}$/.test(name))).toBe(true);
  const loose = looseIn(folder).filter((path) => !OURS.some((own) => path.endsWith(`/${own}`)));
  expect(loose).toEqual([]);
});
