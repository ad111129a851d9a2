import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

type Report = Readonly<{
  accounted: boolean;
  paidTwice: number;
  rows: Readonly<{ total: number; paid: number }>;
  paidByService: number;
  inDoubt: number;
  faults: readonly Readonly<{ name: string; happened: number }>[];
}>;

it('bursar drill pays every row of a file exactly once, whatever goes wrong', async () => {
  const cwd = temporaryFolder();
  mkdirSync(cwd, { recursive: true });
  const args = [root('build/programs/starter.js'), 'drill', root('examples/payroll.csv'), '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  const report = JSON.parse(stdout) as Report;
  expect(report).toMatchObject({ accounted: true, paidTwice: 0 });
  expect(report.rows.paid).toBe(report.rows.total);
  expect(report.paidByService).toBe(report.rows.total);
  expect(report.inDoubt).toBeGreaterThan(0);
  expect(report.faults.filter(({ happened }) => happened === 0)).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});
