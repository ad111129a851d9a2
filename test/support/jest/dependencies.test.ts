import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../../architecture/repository.ts';
// @ts-expect-error jest loads it without compiling it, so it is JavaScript without types.
import { extract, PROGRAMS } from './dependencies.mjs';

const noImports = (): string[] => [];
const importsOf = (path: string, text = readFileSync(join(ROOT, path), 'utf8')): string[] => [
  ...extract(text, join(ROOT, path), noImports),
];

describe('the imports that jest counts', () => {
  it('are real imports', () => {
    const imports = extract('', join(ROOT, 'src/worker.ts'), () => ['./cli.ts']);
    expect([...imports]).toEqual(['./cli.ts']);
  });

  it.each([
    'test/support/test-stack.ts',
    'test/support/cli/run-command.ts',
    'test/support/temporal/shared-temporal.ts',
    'test/support/child.ts',
    'test/docs/support/terminal.ts',
    'packages/sandbox/test/support/child.ts',
    'packages/conformance/test/support/own-runs.ts',
  ])('are the programs that %s starts', (helper) => {
    expect(importsOf(helper)).toEqual(expect.arrayContaining(PROGRAMS));
  });

  it('are the files that a test names by an URL', () => {
    const text = `const MAIN = new URL('../../src/bridge/main.ts', import.meta.url);`;
    expect(importsOf('test/bridge/main.test.ts', text)).toEqual([join(ROOT, 'src/bridge/main.ts')]);
  });

  it('are no programs for other tests, nor for sources that name the build', () => {
    expect(importsOf('test/domain/money/amount.property.test.ts')).toEqual([]);
    expect(importsOf('src/worker.ts', '// build/workflow-bundle.js')).toEqual([]);
  });
});

it('the programs are there', () => {
  expect(PROGRAMS.filter((path: string) => !existsSync(path))).toEqual([]);
});
