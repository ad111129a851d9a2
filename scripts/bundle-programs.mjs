#!/usr/bin/env node
/**
 * Bundles the compiled programs into build/programs: Node.js reads a few files instead of a thousand, so that each starts
 * sooner. Does and says nothing when the bundle is made from the same files already.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BUILD,
  builtPackage,
  checkHashed,
  hashOf,
  isMadeFrom,
  ROOT,
  writeStamp,
  writeWhole,
} from './built.mjs';
import { prunedDescriptor, readSources } from './prune-descriptor.mjs';

const FOLDER = join(BUILD, 'programs');

/** Beside the files: the hash of everything that they were made from, and their names. */
const STAMP = join(FOLDER, 'inputs');

const FOLDERS = [join(BUILD, 'src'), builtPackage('merchant-api'), builtPackage('sandbox')];
const OTHERS = [
  join(ROOT, 'package-lock.json'),
  fileURLToPath(import.meta.url),
  join(ROOT, 'scripts', 'prune-descriptor.mjs'),
];

const compiled = (file) => join(BUILD, 'src', file);

/** It has a part that is no JavaScript, and finds that beside itself. */
const LIBSQL = 'libsql';

const BUNDLES = [
  {
    entryPoints: {
      // It begins with the cache of compiled code, which serves what is loaded after it.
      starter: compiled('launch.js'),
      bridge: compiled('bridge/main.js'),
      sandbox: join(builtPackage('sandbox'), 'main.js'),
      'codec-server': compiled('codec-server/main.js'),
      // Programs of both bundles start it as a thread, by its path beside their own files.
      'block-thread': compiled('ingest/block-thread.js'),
      'early-thread': compiled('report/early/early-thread.js'),
    },
    external: [LIBSQL],
  },
  {
    entryPoints: {
      worker: compiled('worker.js'),
      // The SDK loads it by its path.
      'failure-converter': compiled('codec/failure-converter.js'),
    },
    // The worker's SDK starts threads from its own files, and must share its other packages with them and with us.
    external: [LIBSQL, '@temporalio/*'],
  },
];

/** Packages that are not ES modules ask for those of Node.js with `require`. */
const BANNER =
  "import { createRequire as bursarRequire } from 'node:module';\nconst require = bursarRequire(import.meta.url);";

export async function bundlePrograms(say) {
  const inputs = hashOf(FOLDERS, OTHERS);
  if (isMadeFrom(STAMP, inputs)) return;
  say('bundling the programs');
  const files = await build();
  mkdirSync(FOLDER, { recursive: true });
  for (const { path, contents } of files) writeWhole(path, contents);
  const names = files.map(({ path }) => basename(path));
  writeStamp(STAMP, inputs, names);
  removeOthers(names);
}

async function build() {
  const esbuild = await import('esbuild');
  const plugins = [prunedDescriptor(readSources(FOLDERS))];
  const built = await Promise.all(
    BUNDLES.map((bundle) => esbuild.build({ ...OPTIONS, ...bundle, plugins })),
  );
  const bundled = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  checkHashed(
    bundled.map((file) => join(ROOT, file)),
    FOLDERS,
    OTHERS,
  );
  const files = built.flatMap(({ outputFiles }) => outputFiles);
  const isEntry = ({ path }) => ENTRIES.has(basename(path, '.js'));
  // Those that begin name the others, so they come last.
  return [...files.filter((file) => !isEntry(file)), ...files.filter(isEntry)];
}

const ENTRIES = new Set(BUNDLES.flatMap(({ entryPoints }) => Object.keys(entryPoints)));

const OPTIONS = {
  absWorkingDir: ROOT,
  outdir: FOLDER,
  write: false,
  metafile: true,
  bundle: true,
  // What a command does not need is not read.
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Errors are told apart by their names.
  keepNames: true,
  banner: { js: BANNER },
  logLevel: 'warning',
};

/** Parts of earlier bundles. */
function removeOthers(names) {
  const kept = new Set([...names, basename(STAMP)]);
  for (const name of readdirSync(FOLDER)) {
    if (!kept.has(name)) rmSync(join(FOLDER, name), { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePrograms(console.error);
