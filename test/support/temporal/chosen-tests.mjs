import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Whether any test file that matches the patterns (all do when there are none) imports the helper, itself or by way
 * of other files.
 */
export function chosenTestsImport({ tests, patterns, helper }) {
  const isChosen = (file) =>
    patterns.length === 0 || patterns.some((pattern) => new RegExp(pattern).test(file));
  return readdirSync(tests, { recursive: true })
    .map((name) => join(tests, name))
    .filter((file) => file.endsWith('.test.ts') && isChosen(file))
    .some((file) => reaches(file, { helper, tests, seen: new Set() }));
}

function reaches(file, context) {
  const { helper, tests, seen } = context;
  if (file === helper) return true;
  if (seen.has(file) || !file.startsWith(tests)) return false;
  seen.add(file);
  return importsOf(file).some((imported) => reaches(imported, context));
}

function importsOf(file) {
  const relative = readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^']*'(\.[^']+\.ts)'/gm);
  return [...relative].map(([, path]) => resolve(dirname(file), path));
}
