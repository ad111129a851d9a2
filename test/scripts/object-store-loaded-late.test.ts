import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../architecture/repository.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAMS = join(ROOT, 'build/programs');
/** A text of the SDK of the object store. */
const SDK = 'S3ServiceException';

/** The parts of the bundle that a command loads, by Node.js's own list of scripts. */
function loadedBy(...command: string[]): string[] {
  const coverage = temporaryFolder();
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  spawnSync(process.execPath, [join(PROGRAMS, 'starter.js'), ...command], {
    cwd: temporaryFolder(),
    env,
  });
  const scripts = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      result: readonly { url: string }[];
    };
    return result.map(({ url }) => url);
  });
  return scripts.flatMap((url) => /build\/programs\/([^/]+\.js)$/.exec(url)?.[1] ?? []);
}

it('a command that needs no bucket does not load the SDK of the object store', () => {
  const withSdk = readdirSync(PROGRAMS).filter(
    (name) => name.endsWith('.js') && readFileSync(join(PROGRAMS, name), 'utf8').includes(SDK),
  );
  expect(withSdk.length).toBeGreaterThan(0);
  const loaded = loadedBy('status', 'payroll', '--json');
  expect(loaded).toContain('starter.js');
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((name) => withSdk.includes(name))).toEqual([]);
});
