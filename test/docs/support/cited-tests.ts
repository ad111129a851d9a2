import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, read } from '../../architecture/repository.ts';

/** A test that a page cites: its file in `test`, and its name, or that of a story in a table of tests. */
export type CitedTest = Readonly<{ file: string; name: string }>;

/** The tests that a cell cites: a file in code quotes, and after it names in “quotes”. */
export const citedIn = (cell: string): CitedTest[] =>
  [...cell.matchAll(/`([\w./-]+\.test\.ts)` ((?:“[^”]+”(?:, )?)+)/g)].flatMap(
    ([, file = '', names = '']) =>
      [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  );

/** Whether the file is there, and the name stands in it, or in the table beside it, as that of a test or of a table of tests. */
export function isTestThere({ file, name }: CitedTest): boolean {
  const path = pathOf(file);
  const table = path.replace(/[.]test([.]ts)$/, '$1');
  return [path, table].some((each) => existsSync(join(ROOT, each)) && holdsTest(read(each), name));
}

/** The tests of a package lie in its folder: `sandbox/x.test.ts` is packages/sandbox/test/x.test.ts. */
function pathOf(file: string): string {
  const [, name, rest] = /^(merchant-api|sandbox|conformance)\/(.*)$/.exec(file) ?? [];
  return name === undefined ? `test/${file}` : `packages/${name}/test/${rest}`;
}

/** Whether a text has a test of this name that runs: what stands in a comment does not, and no file with skipped tests counts. */
export const holdsTest = (text: string, name: string): boolean => {
  const code = text.split('\n').filter((line) => !COMMENT.test(line));
  return !code.some((line) => SKIPPED.test(line)) && isNamed(code.join('\n'), name);
};

const COMMENT = /^\s*(\/\/|\/?\*)/;
const SKIPPED = /\b(?:x(?:it|test|describe)|(?:it|test|describe)\.(?:skip|todo|failing))\b[.(`]/;

const isNamed = (text: string, name: string): boolean =>
  [name, name.replaceAll("'", "\\'")].some((each) =>
    [`'${each}',`, `"${each}",`, `'${each}': [`, ` ${each}: [`].some((literal) =>
      text.includes(literal),
    ),
  );
