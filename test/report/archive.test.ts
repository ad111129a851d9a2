import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { archiveReport } from '../../src/report/archive.ts';
import { FILES } from '../../src/report/write-report.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function writeFiles(dir: string): Promise<void> {
  await mkdir(dir);
  for (const name of FILES) await writeFile(join(dir, name), `${name} of version 1`);
}

/** Every file in a folder, hidden ones included, with what it says. */
async function readAll(dir: string): Promise<string[][]> {
  const names = await readdir(dir, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => [name, await readFile(join(dir, name), 'utf8')]),
  );
}

const WHOLE = [...FILES].sort().map((name) => [name, `${name} of version 1`]);

it('a version of a report is kept whole by several who keep it at the same time, and nothing else is left', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const dir = join(temporaryFolder(), 'batch');
    await writeFiles(dir);
    await Promise.all(Array.from({ length: 4 }, () => archiveReport(dir, 1)));
    expect(await readdir(join(dir, 'versions'))).toEqual(['1']);
    expect(await readAll(join(dir, 'versions', '1'))).toEqual(WHOLE);
  }
});

it('a version of a report that was kept stays as it is when its files have changed', async () => {
  const dir = join(temporaryFolder(), 'batch');
  await writeFiles(dir);
  await archiveReport(dir, 1);
  await writeFile(join(dir, 'report.csv'), 'version 2');
  await archiveReport(dir, 1);
  expect(await readAll(join(dir, 'versions', '1'))).toEqual(WHOLE);
});

it('what somebody left behind who was killed over it is removed, and never taken for what was kept', async () => {
  const dir = join(temporaryFolder(), 'batch');
  await writeFiles(dir);
  await mkdir(join(dir, 'versions', '.1.left'), { recursive: true });
  await writeFile(join(dir, 'versions', '.1.left', 'report.csv'), 'half');
  await archiveReport(dir, 1);
  expect(await readdir(join(dir, 'versions'))).toEqual(['1']);
  expect(await readAll(join(dir, 'versions', '1'))).toEqual(WHOLE);
});
