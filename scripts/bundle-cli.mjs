#!/usr/bin/env node
/**
 * Bundles the compiled command line into build/cli: Node.js reads a few files instead of a thousand, so that a command answers
 * in two thirds of the time. Does and says nothing when the bundle is made from the same files already.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD, hashOf, isMadeFrom, ROOT, writeWhole } from './built.mjs';

const FOLDER = join(BUILD, 'cli');
const STARTER = 'starter.js';

/** Beside the files: the hash of everything that they were made from. */
const STAMP = join(FOLDER, 'inputs');

/** It has a part that is no JavaScript, and finds that beside itself. */
const EXTERNAL = ['libsql'];

/** Packages that are not ES modules ask for those of Node.js with `require`. */
const BANNER =
  "import { createRequire as bursarRequire } from 'node:module';\nconst require = bursarRequire(import.meta.url);";

export async function bundleCli(say) {
  const inputs = hashOf([''], [join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)]);
  if (isMadeFrom(STAMP, inputs)) return;
  say('bundling the command line');
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(BUILD, 'src', STARTER)],
    outdir: FOLDER,
    write: false,
    bundle: true,
    // What a command does not need is not read.
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Errors are told apart by their names.
    keepNames: true,
    external: EXTERNAL,
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  mkdirSync(FOLDER, { recursive: true });
  // The starter names the others, so it comes last.
  const isStarter = ({ path }) => basename(path) === STARTER;
  const parts = [
    ...outputFiles.filter((file) => !isStarter(file)),
    ...outputFiles.filter(isStarter),
  ];
  for (const { path, contents } of parts) writeWhole(path, contents);
  writeWhole(STAMP, inputs);
  removeOthers(parts.map(({ path }) => basename(path)));
}

/** Parts of earlier bundles. */
function removeOthers(names) {
  const kept = new Set([...names, basename(STAMP)]);
  for (const name of readdirSync(FOLDER)) {
    if (!kept.has(name)) rmSync(join(FOLDER, name), { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCli(console.error);
