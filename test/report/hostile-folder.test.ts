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
import { FILES, writeReport } from '../../src/report/write-report.ts';
import { writeText } from '../../src/report/write-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportOf, row } from './support/reports.ts';

const ROWS = [row(2), row(3, { outcome: 'FAILED' })];
const write = (dir: string) =>
  writeReport({ dir, report: reportOf(ROWS), pages: [ROWS], refused: [] });

it('links that somebody laid in the folder of a report are replaced, and what they lead to is left alone', async () => {
  const folder = temporaryFolder();
  const dir = join(folder, 'runs');
  mkdirSync(dir);
  for (const name of FILES) {
    writeFileSync(join(folder, name), 'of somebody else');
    symlinkSync(join(folder, name), join(dir, name));
  }
  const { files } = await write(dir);
  for (const name of files) expect(lstatSync(join(dir, name)).isFile()).toBe(true);
  expect(readdirSync(dir).sort()).toEqual(files.toSorted());
  for (const name of FILES) {
    expect(readFileSync(join(folder, name), 'utf8')).toBe('of somebody else');
  }
});

it('a folder in the place of a file of a report is not written into', async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'report.csv'));
  await expect(write(dir)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(join(dir, 'report.csv'))).toEqual([]);
});

it('a single file that is a link is replaced, and what it leads to is left alone', async () => {
  const folder = temporaryFolder();
  const [path, other] = [join(folder, 'plan.json'), join(folder, 'other')];
  writeFileSync(other, 'of somebody else');
  symlinkSync(other, path);
  await writeText(path, '{}\n');
  expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, '{}\n']);
  expect(readFileSync(other, 'utf8')).toBe('of somebody else');
});
