/** What scripts share that make something from the compiled files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const BUILD = join(ROOT, 'build');

/** What `tsc -b` makes of a package. */
export const builtPackage = (name) => join(ROOT, 'packages', name, 'build');

/** A hash of the compiled files below these folders, and of other files. */
export function hashOf(folders, others) {
  const hash = createHash('sha256');
  for (const file of [...others, ...folders.flatMap(compiledFiles)]) {
    hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

const compiledFiles = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .sort((a, b) => a.localeCompare(b))
    .map((file) => join(folder, file));

/** Whether `stamp`, written when something was made, says that it was made from these inputs. */
export const isMadeFrom = (stamp, inputs) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs;

/** A program that starts meanwhile reads the old file or the new one, never a part. */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
