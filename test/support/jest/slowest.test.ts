import { expect, it } from '@jest/globals';
// @ts-expect-error jest loads it without compiling it, so it is JavaScript without types.
import { slowestFiles } from './slowest.mjs';

const resultsOf = (count: number) => ({
  testResults: Array.from({ length: count }, (_, i) => ({
    perfStats: { runtime: (i + 1) * 1_000 },
    testFilePath: `/project/test/${i + 1}.test.ts`,
  })),
});

it('the ten slowest files of a run are named, the slowest first', () => {
  const lines = slowestFiles(resultsOf(12), '/project');
  expect(lines).toHaveLength(10);
  expect([lines[0], lines.at(-1)]).toEqual([
    '   12.0 s  test/12.test.ts',
    '    3.0 s  test/3.test.ts',
  ]);
});

it('of few files none is named', () => {
  expect(slowestFiles(resultsOf(10), '/project')).toEqual([]);
});
