import { describe, expect, it } from '@jest/globals';
// @ts-expect-error scripts run before anything is compiled, so they are JavaScript without types.
import { chooseTests } from '../../scripts/test-changed.mjs';

const TESTS = new Map([
  ['test/architecture/house.test.ts', ''],
  ['test/cli/documents.test.ts', "read('src/cli/README.md')"],
  ['test/domain/money/amount.test.ts', ''],
  ['test/scenarios/holds.test.ts', ''],
]);

const choose = (...changed: readonly string[]) => chooseTests(changed, TESTS);

describe('the tests of a change', () => {
  it('are those of the changed code, and those that read sources as text', () => {
    expect(choose('src/domain/money/amount.ts', 'test/support/oracle.ts')).toEqual({
      files: [
        'src/domain/money/amount.ts',
        'test/support/oracle.ts',
        'test/architecture/house.test.ts',
      ],
      changedTests: [],
    });
  });

  it('are those that name a changed document', () => {
    expect(choose('src/cli/README.md')).toEqual({
      files: ['test/architecture/house.test.ts', 'test/cli/documents.test.ts'],
      changedTests: [],
    });
  });

  it('are changed tests, in either layer', () => {
    expect(choose('test/scenarios/holds.test.ts', 'test/scenarios/removed.test.ts')).toEqual({
      files: expect.arrayContaining(['test/scenarios/holds.test.ts']),
      changedTests: ['test/scenarios/holds.test.ts'],
    });
  });

  it.each([
    'package.json',
    'package-lock.json',
    'jest.config.js',
    'tsconfig.base.json',
    'scripts/bundle-programs.mjs',
    'test/support/temporal/global-setup.mjs',
  ])('are the whole fast layer after a change of %s', (file) => {
    expect(choose(file)).toEqual({ files: null, changedTests: [] });
  });
});
