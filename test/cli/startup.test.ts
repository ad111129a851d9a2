import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { buildUrl } from '../support/child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The modules that Node.js loaded for a command line of the compiled program. */
function modulesOf(...args: string[]): string[] {
  const folder = temporaryFolder();
  const env = { ...process.env, NODE_V8_COVERAGE: join(folder, 'coverage') };
  const starter = fileURLToPath(buildUrl('src/starter.js'));
  const { status, stderr } = spawnSync(process.execPath, [starter, ...args], { cwd: folder, env });
  if (status === null || status === 1) throw new Error(String(stderr));
  const files = readdirSync(join(folder, 'coverage'));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, 'coverage', file), 'utf8');
    const { result } = JSON.parse(text) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
}

const HEAVY =
  /node_modules\/(?!commander\/|picocolors\/)|build\/src\/(ingest|store|merchant-api|report|operations)\/(?!keep-open)/;

describe('the help of the command line', () => {
  it.each([['--help'], ['submit', '--help'], ['help', 'exit-codes']])(
    'loads nothing but itself: %s %s',
    (...args) => {
      const modules = modulesOf(...args);
      expect(modules.filter((url) => url.includes('build/src/cli/app.js'))).toHaveLength(1);
      expect(modules.filter((url) => HEAVY.test(url))).toEqual([]);
    },
  );

  it('has no text of an error', () => {
    const errors = modulesOf('--help').filter((url) => url.includes('build/src/domain/errors/'));
    expect(errors.map((url) => basename(url))).toEqual(['exit.js']);
  });

  it('and a wrong import would fail this test', () => {
    expect(modulesOf('plan', 'nowhere.csv').filter((url) => HEAVY.test(url))).not.toEqual([]);
  });
});

describe('a plan', () => {
  it('needs neither the SDK of Temporal, nor a store, nor the client of the service', () => {
    const modules = modulesOf('plan', 'nowhere.csv');
    const unneeded = /@temporalio|node_modules\/(?:libsql|undici)/;
    expect(modules.filter((url) => unneeded.test(url))).toEqual([]);
  });
});

describe('a status', () => {
  it('loads no server, and no metrics', () => {
    const modules = modulesOf('status', 'no-such-batch');
    expect(modules.filter((url) => url.includes('@temporalio/client'))).not.toEqual([]);
    const unneeded = /node_modules\/(?:fastify|prom-client)|build\/src\/monitoring/;
    expect(modules.filter((url) => unneeded.test(url))).toEqual([]);
  });
});
