import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error jest loads the global set-up without compiling it, so what it uses is JavaScript without types.
import { chosenTestsImport } from './chosen-tests.mjs';

let tests: string;

beforeAll(() => {
  tests = mkdtempSync(join(tmpdir(), 'bursar-chosen-'));
  mkdirSync(join(tests, 'flows'));
  const files = {
    'helper.ts': '',
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
])('sees whether the helper is used by %s', (_, patterns, expected) => {
  expect(chosenTestsImport({ tests, patterns, helper: join(tests, 'helper.ts') })).toBe(expected);
});
