import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error jest loads the global set-up without compiling it, so what it uses is JavaScript without types.
import { chosenTestsReach } from './chosen-tests.mjs';

let tests: string;

beforeAll(() => {
  tests = mkdtempSync(join(tmpdir(), 'bursar-chosen-'));
  mkdirSync(join(tests, 'flows'));
  const files = {
    'helper.ts': '// starts a server',
    'flows/world.ts': "import { x } from '../helper.ts';",
    'flows/direct.test.ts': "import { x } from '../helper.ts';",
    'flows/indirect.test.ts': "import type { W } from './world.ts';\nimport fs from 'node:fs';",
    'unit.test.ts': "import { y } from '../src/other.ts';\nimport { a } from './round.ts';",
    'round.ts': "import { b } from './trip.ts';",
    'trip.ts': "import { a } from './round.ts';",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tests, name), text);
});
afterAll(() => rmSync(tests, { recursive: true }));

it.each([
  ['all tests', [], true],
  ['a test that imports it', ['direct'], true],
  ['a test that imports it by way of another file', ['flows/in'], true],
  ['a test that does not', ['unit'], false],
  ['a folder, one of whose tests does', ['nothing', 'flows'], true],
  ['no test at all', ['nothing'], false],
])('finds whether the helper is reached by %s', (_, patterns, expected) => {
  const chosen = { folders: [tests], patterns };
  const isHelper = (file: string) => file === join(tests, 'helper.ts');
  expect(chosenTestsReach({ ...chosen, accepts: isHelper })).toBe(expected);
  const startsServer = (_file: string, text: string) => text.includes('starts a server');
  expect(chosenTestsReach({ ...chosen, accepts: startsServer })).toBe(expected);
});

it('reads no file outside the folders', () => {
  const folders = [join(tests, 'flows')];
  const startsServer = (_file: string, text: string) => text.includes('starts a server');
  expect(chosenTestsReach({ folders, patterns: [], accepts: startsServer })).toBe(false);
});
