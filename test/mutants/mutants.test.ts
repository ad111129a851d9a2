import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { LAYERS } from '../../mutants/layers.ts';
import { applyEdit } from '../../mutants/mutant.ts';
import { MUTANTS } from '../../mutants/mutants.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

describe.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s', (_name, mutant) => {
  it('can be made from the code of today', () => {
    for (const edit of mutant.edits) {
      const text = readFileSync(pathOf(edit.file), 'utf8');
      expect(applyEdit(text, edit)).not.toBe(text);
    }
  });

  it('names scenarios that exist', () => {
    for (const name of mutant.scenarios) {
      expect([name, existsSync(pathOf(`test/scenarios/${name}.test.ts`))]).toEqual([name, true]);
    }
  });
});

it('an edit that fits nowhere, or in two places, is refused', () => {
  const edit = { file: 'a.ts', find: 'one', replace: '$&two' };
  expect(applyEdit('one more', edit)).toBe('$&two more');
  expect(() => applyEdit('none', { ...edit, find: 'what is not there' })).toThrow('0 times');
  expect(() => applyEdit('one and one', edit)).toThrow('2 times');
});

it('the tests in the folder of the edited file are tried first, and then all tests of the rules', () => {
  const edits = [{ file: 'src/store/sending/attempts.ts', find: 'a', replace: 'b' }];
  const mutant = { name: 'm', does: 'nothing', edits, scenarios: [] };
  const paths = LAYERS.rules.commands(mutant).map((command) => command.slice(5));
  expect(paths[0]).toEqual(['--passWithNoTests', 'test/store/sending/']);
  expect(paths[1]).toEqual(expect.arrayContaining(['test/domain/', 'test/store/']));
});
