/**
 * The imports of a file, by which jest finds the tests of a change. Beside real imports these are the files that a test
 * names by a URL. A test that starts compiled programs does not import their code, so the programs are added here.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The entry files of the compiled programs and workflows. */
export const PROGRAMS = [
  'src/starter.ts',
  'src/launch.ts',
  'src/worker.ts',
  'src/workflows/index.ts',
  'src/codec/failure-converter.ts',
  'src/bridge/main.ts',
  'src/codec-server/main.ts',
  'packages/sandbox/src/main.ts',
  'packages/conformance/src/main.ts',
].map((path) => join(ROOT, path));

/** A test file names compiled files, or a variable that the global set-up sets when it started something from them. */
const COMPILED_FILES = /\bbuild\/|\bbuildUrl\b|\bBURSAR_TEST_(?:TEMPORAL|WORKFLOW|CLI)_/;

/** Whether a test file with this text runs compiled files, so that they must be up to date. */
export const usesCompiledFiles = (text) => COMPILED_FILES.test(text);

const URL_OF_CODE = /new URL\(\s*'(\.[^']+\.(?:ts|mjs))',\s*import\.meta\.url/g;

const isOfTests = (path) => path.slice(ROOT.length).split('/').includes('test');

export function extract(text, path, extractImports) {
  const imports = new Set(extractImports(text, path));
  if (!isOfTests(path)) return imports;
  for (const [, file] of text.matchAll(URL_OF_CODE)) imports.add(join(dirname(path), file));
  if (usesCompiledFiles(text)) for (const program of PROGRAMS) imports.add(program);
  return imports;
}

/** Raise it when this file changes: jest keeps the imports that were extracted before. */
export const getCacheKey = () => '1';
