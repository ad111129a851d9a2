import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WrittenFiles } from '../../src/domain/report/written-report.ts';
import {
  archiveReport,
  keptFolders,
  keptVersions,
  setUnnamedAside,
} from '../../src/report/archive.ts';
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

describe('kept versions that no entry of the audit log names', () => {
  const namedAs = (version: number, text: string): WrittenFiles => ({
    version,
    files: { 'report.json': createHash('sha256').update(text).digest('hex') },
  });

  async function kept(...versions: readonly number[]): Promise<string> {
    const dir = join(temporaryFolder(), 'batch');
    for (const version of versions) {
      const folder = join(dir, 'versions', String(version));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'report.json'), `totals of ${version}`);
    }
    return dir;
  }
  const versionsOf = async (dir: string): Promise<number[]> =>
    (await keptVersions(dir)).map(({ version }) => version).toSorted((a, b) => a - b);

  it('are set aside with all their files, from the version on that is written', async () => {
    const dir = await kept(1, 2, 3);
    await setUnnamedAside(dir, 2, () => Promise.resolve([namedAs(3, 'totals of 3')]));
    expect(await versionsOf(dir)).toEqual([1, 3]);
    const aside = (await readdir(join(dir, 'versions'))).filter((name) => name.includes('not-in'));
    expect(aside).toEqual([expect.stringMatching(/^2-not-in-log-[0-9a-f-]{36}$/)]);
    const text = await readFile(join(dir, 'versions', aside[0] ?? '', 'report.json'), 'utf8');
    expect(text).toBe('totals of 2');
    expect(await keptFolders(dir)).toHaveLength(3);
  });

  it('are those of another version with the same bytes, too', async () => {
    const dir = await kept(2);
    await setUnnamedAside(dir, 2, () => Promise.resolve([namedAs(1, 'totals of 2')]));
    expect(await versionsOf(dir)).toEqual([]);
  });

  it('are those without a report.json, too', async () => {
    const dir = await kept();
    await mkdir(join(dir, 'versions', '1'), { recursive: true });
    await setUnnamedAside(dir, 1, () =>
      Promise.resolve([namedAs(1, 'totals of 1'), { version: 1, files: {} }]),
    );
    expect(await versionsOf(dir)).toEqual([]);
  });

  it('do not exist where a report has no older version', async () => {
    const dir = await kept();
    await setUnnamedAside(dir, 1, () => Promise.resolve([]));
    expect(await keptFolders(dir)).toEqual([]);
  });
});
