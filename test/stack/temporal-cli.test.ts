import { describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Obtain } from '../../src/cli/stack/place-program.ts';
import {
  findTemporalCli,
  TEMPORAL_CLI_VERSION,
  temporalCacheDir,
} from '../../src/cli/stack/temporal-cli.ts';
import { newFolder } from './support/folders.ts';

function program(path: string, mode = 0o755): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\necho temporal version 1.5.1\n');
  chmodSync(path, mode);
  return path;
}

const notExpected: Obtain = () => Promise.reject(new Error('not expected in this test'));
const makes: Obtain = async (target) => {
  program(target);
};
const fails =
  (reason: string): Obtain =>
  () =>
    Promise.reject(new Error(reason));

/** A search that finds nothing and may obtain nothing, but for what the test gives. */
function searchIn(folder: string) {
  return {
    env: {} as Record<string, string>,
    cacheDir: join(folder, 'cache'),
    say: () => {},
    obtain: { download: notExpected } as Record<string, Obtain>,
  };
}

describe("Temporal's command line tool is", () => {
  it('the one that BURSAR_TEMPORAL_CLI names, before any other', async () => {
    const folder = newFolder();
    const named = program(join(folder, 'my tools/temporal'));
    program(join(folder, 'bin/temporal'));
    const env = { BURSAR_TEMPORAL_CLI: named, PATH: join(folder, 'bin') };
    expect(await findTemporalCli({ ...searchIn(folder), env })).toBe(named);
  });

  it('missing when BURSAR_TEMPORAL_CLI names no program, whatever else is there', async () => {
    const folder = newFolder();
    program(join(folder, 'bin/temporal'));
    const env = { BURSAR_TEMPORAL_CLI: join(folder, 'typo'), PATH: join(folder, 'bin') };
    await expect(findTemporalCli({ ...searchIn(folder), env })).rejects.toMatchObject({
      code: 'TEMPORAL_CLI_MISSING',
      facts: { tried: `BURSAR_TEMPORAL_CLI (${join(folder, 'typo')}): no program` },
    });
  });

  it('the first on PATH that is a program', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'a/temporal'), { recursive: true });
    program(join(folder, 'b/temporal'), 0o644);
    const found = program(join(folder, 'c/temporal'));
    const env = { PATH: ['', 'a', 'b', 'c'].map((name) => name && join(folder, name)).join(':') };
    expect(await findTemporalCli({ ...searchIn(folder), env })).toBe(found);
  });

  it('the one in the cache', async () => {
    const folder = newFolder();
    const cached = program(join(folder, 'cache', TEMPORAL_CLI_VERSION, 'temporal'));
    expect(await findTemporalCli(searchIn(folder))).toBe(cached);
  });

  it('obtained in the first way that works, into the cache', async () => {
    const folder = newFolder();
    const cached = join(folder, 'cache', TEMPORAL_CLI_VERSION, 'temporal');
    const obtain = { download: fails('offline'), build: makes, other: notExpected };
    expect(await findTemporalCli({ ...searchIn(folder), obtain })).toBe(cached);
    expect(existsSync(cached)).toBe(true);
    expect(await findTemporalCli(searchIn(folder))).toBe(cached);
  });

  it('missing with everything that was tried', async () => {
    const folder = newFolder();
    const obtain = { download: fails('host was silent'), 'go install': fails('go failed: ENOENT') };
    await expect(findTemporalCli({ ...searchIn(folder), obtain })).rejects.toMatchObject({
      code: 'TEMPORAL_CLI_MISSING',
      facts: {
        tried: [
          'temporal on PATH: not there',
          `the cache ${join(folder, 'cache', TEMPORAL_CLI_VERSION, 'temporal')}: not there`,
          'download: host was silent',
          'go install: go failed: ENOENT',
        ].join('; '),
      },
    });
  });
});

describe('the cache', () => {
  it('lies in the cache folder of the user, outside of any repository', () => {
    expect(temporalCacheDir({})).toBe(join(homedir(), '.cache/bursar/temporal-cli'));
    expect(temporalCacheDir({ XDG_CACHE_HOME: '/c' })).toBe('/c/bursar/temporal-cli');
  });

  it('holds nothing half-made after a failure', async () => {
    const folder = newFolder();
    await expect(
      findTemporalCli({ ...searchIn(folder), obtain: { download: fails('x') } }),
    ).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});
