import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './repository.ts';

/** A bound for a tool that hangs, and no claim about speed: compilers and linters wait long on a busy machine. */
jest.setTimeout(900_000);

/** Runs a tool of the project; returns what it printed and whether it was content. */
function run(tool: string, { args, cwd }: { args: string[]; cwd: string }) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules', tool), ...args],
    { cwd, encoding: 'utf8' },
  );
  return { passes: status === 0, output: stdout + stderr };
}

describe('the compiler', () => {
  const compile = (fixture: string) =>
    run('typescript/bin/tsc', {
      args: ['-p', `test/architecture/fixtures/${fixture}`, '--noEmit'],
      cwd: ROOT,
    });

  it('accepts an import along an arrow', () => {
    expect(compile('allowed')).toEqual({ passes: true, output: '' });
  });

  it.each([
    ['an import along a missing arrow', 'missing-arrow', /domain-imports-contract\.ts.*TS6307/],
    ['node:fs in domain', 'node-in-domain', /domain-reads-files\.ts.*node:fs/],
    ['process in workflows', 'node-in-workflows', /workflow-reads-environment\.ts.*'process'/],
  ])('refuses %s', (_, fixture, complaint) => {
    const { passes, output } = compile(fixture);
    expect(passes).toBe(false);
    expect(output).toMatch(complaint);
  });
});

describe('the linter', () => {
  const FAULTS = [
    [
      'a package in spec',
      'packages/merchant-api/src/spec/a.ts',
      "export { z } from 'zod';",
      'no-restricted-imports',
    ],
    [
      'the client in domain',
      'src/domain/i.ts',
      "export { signRequest } from '@bursar/merchant-api';",
      'no-restricted-imports',
    ],
    [
      'a foreign package in domain',
      'src/domain/a.ts',
      "export { z } from 'zod';",
      'no-restricted-imports',
    ],
    [
      "the sandbox's package in its console",
      'packages/sandbox/src/console/a.ts',
      "export { z } from 'zod';",
      'no-restricted-imports',
    ],
    ['a package in report', 'src/report/a.ts', "export { z } from 'zod';", 'no-restricted-imports'],
    [
      'a value in contract',
      'src/contract/a.ts',
      "export { x } from '@temporalio/common';",
      'no-restricted-imports',
    ],
    [
      'Temporal in merchant-api',
      'packages/merchant-api/src/a.ts',
      "export { x } from '@temporalio/common';",
      'no-restricted-imports',
    ],
    [
      'the clock in domain',
      'src/domain/b.ts',
      'export const now = () => Date.now();',
      'no-restricted-globals',
    ],
    [
      'chance in workflows',
      'src/workflows/a.ts',
      'export const dice = () => Math.random();',
      'no-restricted-properties',
    ],
    [
      'the environment in cli',
      'src/cli/a.ts',
      "export const home = process.env['HOME'];",
      'no-process-env',
    ],
    [
      'a promise left alone',
      'src/cli/b.ts',
      'const go = async () => 1;\nexport const run = () => { go(); };',
      'no-floating-promises',
    ],
    [
      'a case left out',
      'src/cli/c.ts',
      "export const f = (k: 'a' | 'b') => { switch (k) { case 'a': return 1; } };",
      'switch-exhaustiveness-check',
    ],
    [
      'rounding',
      'src/report/e.ts',
      'export const f = (a: number) => a.toFixed(2);',
      'no-restricted-properties',
    ],
    [
      'rounding in a rule',
      'src/domain/f.ts',
      'export const f = (a: number) => a.toFixed(2);',
      'no-restricted-properties',
    ],
    [
      'an amount as a number',
      'src/store/g.ts',
      'export const f = (a: string) => Number.parseFloat(a);',
      'no-restricted-properties',
    ],
    [
      'an amount as a number',
      'src/domain/h.ts',
      'export const f = (a: string) => parseFloat(a);',
      'no-restricted-globals',
    ],
    ['a name in capitals', 'src/cli/BadName.ts', 'export const one = 1;', 'filename-case'],
    [
      'a fourth parameter',
      'src/cli/d.ts',
      'export const f = (a: 1, b: 1, c: 1, d: 1) => [a, b, c, d];',
      'max-params',
    ],
  ] as const;
  const CLEAN = [
    ['packages/merchant-api/src/spec/clean.ts', 'export const one = 1;'],
    ['packages/sandbox/src/console/clean.ts', "export { h } from 'preact';"],
    ['src/domain/limits.ts', "export { WALLET_NAME_LENGTH_MAX } from '@bursar/merchant-api/spec';"],
    ['src/domain/clean.ts', "export { sha256 } from '@noble/hashes/sha2.js';"],
    ['src/contract/clean.ts', "export type { Duration } from '@temporalio/common';"],
    [
      'src/store/clean.ts',
      "export { join } from 'node:path';\nexport { sha256 } from '../domain/clean.ts';",
    ],
  ] as const;
  let folder: string;
  let complaints: string[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bursar-lint-'));
    for (const file of ['.oxlintrc.json', 'tsconfig.base.json'])
      cpSync(join(ROOT, file), join(folder, file));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{ "extends": "./tsconfig.base.json", "compilerOptions": { "types": ["node"] }, "include": ["src", "packages"] }',
    );
    for (const [, file, text] of FAULTS) write(file, text);
    for (const [file, text] of CLEAN) write(file, text);
    const { output } = run('oxlint/bin/oxlint', {
      args: ['--type-aware', '-f', 'unix', 'src', 'packages'],
      cwd: folder,
    });
    complaints = output.split('\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(file: string, text: string): void {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  const complaintsAbout = (file: string) =>
    complaints.filter((line) => line.startsWith(`${file}:`));

  it.each(FAULTS)('refuses %s', (_, file, _text, rule) => {
    expect(complaintsAbout(file)).toEqual([expect.stringContaining(rule)]);
  });

  it.each(CLEAN.map(([file]) => file))('accepts %s', (file) => {
    expect(complaintsAbout(file)).toEqual([]);
  });
});

describe("Temporal's bundler", () => {
  const silent = new DefaultLogger('ERROR', () => {});
  const bundle = (workflowsPath: string) =>
    bundleWorkflowCode({ workflowsPath: join(ROOT, workflowsPath), logger: silent });

  it('accepts our workflows', async () => {
    const { code } = await bundle('src/workflows/index.ts');
    expect(code).toContain('payoutBatch');
  });

  it('refuses workflows that import Node modules', async () => {
    await expect(
      bundle('test/architecture/fixtures/workflow-imports-crypto/index.ts'),
    ).rejects.toThrow();
  });
});
