/**
 * What jest counts as the imports of a file when it looks for the tests of a change. Beside real imports these are files
 * that a test names by an URL, and the programs where it starts what was compiled: their code is no import of the test.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Where compiled programs and workflows begin. */
export const PROGRAMS = [
  'src/starter.ts',
  'src/worker.ts',
  'src/workflows/index.ts',
  'src/codec/failure-converter.ts',
  'src/bridge/main.ts',
  'src/codec-server/main.ts',
  'packages/sandbox/src/main.ts',
  'packages/conformance/src/main.ts',
].map((path) => join(ROOT, path));

/** A text that names the compiled files, or what the global set-up starts from them. */
const STARTS_PROGRAMS = /\bbuild\/|\bbuildUrl\b|\bBURSAR_TEST_(?:TEMPORAL|WORKFLOW|CLI)_/;

const URL_OF_CODE = /new URL\(\s*'(\.[^']+\.(?:ts|mjs))',\s*import\.meta\.url/g;

const isOfTests = (path) => path.slice(ROOT.length).split('/').includes('test');

export function extract(text, path, extractImports) {
  const imports = new Set(extractImports(text, path));
  if (!isOfTests(path)) return imports;
  for (const [, file] of text.matchAll(URL_OF_CODE)) imports.add(join(dirname(path), file));
  if (STARTS_PROGRAMS.test(text)) for (const program of PROGRAMS) imports.add(program);
  return imports;
}

/** Changes with this file: jest keeps what was extracted before. */
export const getCacheKey = () => '1';
