import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../local-stack/support/folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs the script in an empty folder. */
const run = (cwd: string, ...args: string[]) =>
  new Promise<Readonly<{ code: number; out: string; err: string }>>((resolve) => {
    const script = join(REPOSITORY, 'scripts/docs-site.mjs');
    const program = execFile(process.execPath, [script, ...args], { cwd }, (_error, out, err) => {
      resolve({ code: program.exitCode ?? -1, out, err });
    });
  });

describe('the script of the site of the documentation', () => {
  it.each(['--help', '-h'])('prints its usage for %s, and writes nothing', async (flag) => {
    const folder = temporaryFolder();
    const { code, out } = await run(folder, flag);
    expect([code, out]).toEqual([0, expect.stringContaining('[FOLDER]')]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([['--hepl'], ['-x', 'site'], ['site', 'more']])('refuses %s %s', async (...args) => {
    const folder = temporaryFolder();
    const { code, err } = await run(folder, ...args.filter((arg) => arg !== undefined));
    expect([code, err]).toEqual([2, expect.stringContaining('Usage')]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes no folder but a site', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine/file'), 'mine');
    const { code, err } = await run(folder, 'mine');
    expect([code, err]).toEqual([2, expect.stringContaining('something else')]);
    expect(readFileSync(join(folder, 'mine/file'), 'utf8')).toBe('mine');
  });

  it('writes a site, and writes it again', async () => {
    const folder = temporaryFolder();
    for (const code of [0, 0]) expect((await run(folder, 'site')).code).toBe(code);
    expect(existsSync(join(folder, 'site/search.json'))).toBe(true);
  });
});
