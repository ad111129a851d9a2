import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../../architecture/repository.ts';
// @ts-expect-error jest loads it without compiling it, so it is JavaScript without types.
import { LONGEST } from './sequencer.mjs';

const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');

/** The files that jest runs in a layer. */
function filesOf(layer: string): string[] {
  const listTests = [JEST, '--listTests', '--selectProjects', layer];
  return execFileSync(process.execPath, listTests, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith(ROOT))
    .map((path) => path.slice(ROOT.length))
    .sort();
}

const testFiles = (): string[] =>
  ['test', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/test`)]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .sort();

const [fast, slow] = [filesOf('fast'), filesOf('slow')];

it('every file of tests is in one layer, and in no other', () => {
  expect([...fast, ...slow].sort()).toEqual(testFiles());
  expect(slow.length).toBeGreaterThan(0);
});

it('the fast layer pays, sends again, waits for approvals and schedules, and kills', () => {
  expect(fast.filter((path) => path.startsWith('test/scenarios/'))).toEqual(
    ['approvals', 'kill', 'pay-a-file', 'resend', 'schedules'].map(
      (name) => `test/scenarios/${name}.test.ts`,
    ),
  );
});

it('the files that begin first are files of tests', () => {
  expect(testFiles()).toEqual(expect.arrayContaining(LONGEST));
});
