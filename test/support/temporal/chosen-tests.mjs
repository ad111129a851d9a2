import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Whether any test file below the folders that matches the patterns (all match when there are none) reaches a file that
 * `accepts(file, text)` accepts: the test file itself, or one that it imports, at any depth.
 */
export function chosenTestsReach({ folders, patterns, accepts }) {
  const isChosen = (file) =>
    patterns.length === 0 || patterns.some((pattern) => new RegExp(pattern).test(file));
  const seen = new Set();

  const reaches = (file) => {
    if (seen.has(file) || !folders.some((folder) => file.startsWith(`${folder}/`))) return false;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    return accepts(file, text) || importsOf(file, text).some(reaches);
  };
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.test.ts') && isChosen(file))
    .some(reaches);
}

function importsOf(file, text) {
  const relative = text.matchAll(/^(?:import|export) [^']*'(\.[^']+\.ts)'/gm);
  return [...relative].map(([, path]) => resolve(dirname(file), path));
}
