/** What scripts share that make something from the compiled files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/**
 * Whether the outputs that `stamp` lists exist and were made from these inputs. The times of files do not count: a checkout
 * changes them.
 */
export function isMadeFrom(stamp, inputs) {
  if (!existsSync(stamp)) return false;
  const [madeFrom, ...outputs] = readFileSync(stamp, 'utf8').split('\n');
  return madeFrom === inputs && outputs.every((name) => existsSync(join(dirname(stamp), name)));
}

/** Call it last, so that outputs of which only a half was written have no stamp that fits. They lie beside the stamp. */
export const writeStamp = (stamp, inputs, outputs) =>
  writeWhole(stamp, [inputs, ...outputs].join('\n'));

/** Throws when a bundle contains a file that `hashOf(folders, others)` leaves out. The lockfile stands for packages. */
export function checkHashed(bundled, folders, others) {
  const isHashed = (file) =>
    others.includes(file) ||
    file.includes('/node_modules/') ||
    folders.some((folder) => file.startsWith(`${folder}/`) && file.endsWith('.js'));
  const missed = bundled.filter((file) => !isHashed(file));
  if (missed.length > 0) throw new Error(`bundled, but not hashed: ${missed.join(', ')}`);
}

/** A program that starts meanwhile reads the old file or the new one, never a part. */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
