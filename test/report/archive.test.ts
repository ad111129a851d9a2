import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { archiveReport } from '../../src/report/archive.ts';
import { REPORT_FILES } from '../../src/report/write-report-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function writeFiles(dir: string): Promise<void> {
  await mkdir(dir);
  for (const name of REPORT_FILES) await writeFile(join(dir, name), `${name} of version 1`);
}

/** Returns the names and texts of all files in a folder, with hidden ones. */
async function readAll(dir: string): Promise<string[][]> {
  const names = await readdir(dir, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => [name, await readFile(join(dir, name), 'utf8')]),
  );
}

const WHOLE = [...REPORT_FILES].sort().map((name) => [name, `${name} of version 1`]);

it('a version of a report is archived complete when several processes archive it at once', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const dir = join(temporaryFolder(), 'batch');
    await writeFiles(dir);
    await Promise.all(Array.from({ length: 4 }, () => archiveReport(dir, 1)));
    expect(await readdir(join(dir, 'versions'))).toEqual(['1']);
    expect(await readAll(join(dir, 'versions', '1'))).toEqual(WHOLE);
  }
});

it('an archived version stays unchanged when the files of the report change', async () => {
  const dir = join(temporaryFolder(), 'batch');
  await writeFiles(dir);
  await archiveReport(dir, 1);
  await writeFile(join(dir, 'report.csv'), 'version 2');
  await archiveReport(dir, 1);
  expect(await readAll(join(dir, 'versions', '1'))).toEqual(WHOLE);
});

it('the draft of a killed process is removed, and never becomes the archived version', async () => {
  const dir = join(temporaryFolder(), 'batch');
  await writeFiles(dir);
  await mkdir(join(dir, 'versions', '.1.left'), { recursive: true });
  await writeFile(join(dir, 'versions', '.1.left', 'report.csv'), 'half');
  await archiveReport(dir, 1);
  expect(await readdir(join(dir, 'versions'))).toEqual(['1']);
  expect(await readAll(join(dir, 'versions', '1'))).toEqual(WHOLE);
});
