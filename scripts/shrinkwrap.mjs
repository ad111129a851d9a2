#!/usr/bin/env node
/**
 * Makes npm-shrinkwrap.json from package-lock.json while a tarball is packed, so that whoever installs it gets the versions
 * that were tested. The repository has one lockfile.
 *   node scripts/shrinkwrap.mjs make
 *   node scripts/shrinkwrap.mjs remove
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHRINKWRAP = join(ROOT, 'npm-shrinkwrap.json');

/**
 * The lock of an installed tarball: the packages that it needs to run, and none for development. Packages of this repository are
 * links in a clone; an installed tarball has them from the registry, by version.
 */
export function shrinkwrapOf(lock) {
  const { devDependencies: _development, workspaces: _links, ...root } = lock.packages[''];
  const entries = Object.entries(lock.packages)
    .filter(([place]) => place.startsWith('node_modules/'))
    .map(([place, entry]) => [place, entry.link ? lock.packages[entry.resolved] : entry])
    .filter(([place, { dev }]) => !dev && isNeeded(place, root));
  return { ...lock, packages: { '': root, ...Object.fromEntries(entries) } };
}

/** Whether a package of this repository is for more than development. */
const isNeeded = (place, { dependencies }) =>
  !place.startsWith('node_modules/@bursar/') || place.replace('node_modules/', '') in dependencies;

const ACTS = {
  make() {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    writeFileSync(SHRINKWRAP, `${JSON.stringify(shrinkwrapOf(lock), null, 2)}\n`);
  },
  remove: () => rmSync(SHRINKWRAP, { force: true }),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) ACTS[process.argv[2]]();
