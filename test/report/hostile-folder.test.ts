import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { REPORT_FILES, writeReport } from '../../src/report/write-report-files.ts';
import { writeText } from '../../src/report/disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportOf, row } from './support/reports.ts';

const ROWS = [row(2), row(3, { outcome: 'FAILED' })];
const write = (dir: string) =>
  writeReport({ dir, report: reportOf(ROWS), pages: [ROWS], refused: [] });

it('symbolic links in the folder of a report are replaced, and their targets stay unchanged', async () => {
  const folder = temporaryFolder();
  const dir = join(folder, 'runs');
  mkdirSync(dir);
  for (const name of REPORT_FILES) {
    writeFileSync(join(folder, name), 'of somebody else');
    symlinkSync(join(folder, name), join(dir, name));
  }
  const { files } = await write(dir);
  for (const name of files) expect(lstatSync(join(dir, name)).isFile()).toBe(true);
  expect(readdirSync(dir).sort()).toEqual(files.toSorted());
  for (const name of REPORT_FILES) {
    expect(readFileSync(join(folder, name), 'utf8')).toBe('of somebody else');
  }
});

it('a folder with the name of a file of the report is not written to', async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'report.csv'));
  await expect(write(dir)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(join(dir, 'report.csv'))).toEqual([]);
});

it('a file that is a symbolic link is replaced, and its target stays unchanged', async () => {
  const folder = temporaryFolder();
  const [path, other] = [join(folder, 'plan.json'), join(folder, 'other')];
  writeFileSync(other, 'of somebody else');
  symlinkSync(other, path);
  await writeText(path, '{}\n');
  expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, '{}\n']);
  expect(readFileSync(other, 'utf8')).toBe('of somebody else');
});
