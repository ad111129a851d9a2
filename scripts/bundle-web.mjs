#!/usr/bin/env node
/**
 * Bundles the web app into build/web: one page, one script, one style sheet. Does and says nothing when they are made from the
 * same files already. Fails when the script would hold code of the server.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD, checkHashed, hashOf, isMadeFrom, ROOT, writeStamp, writeWhole } from './built.mjs';

const FOLDER = join(BUILD, 'web');
const SOURCES = join(ROOT, 'src', 'web');
const STYLES = join(SOURCES, 'styles');
const PAGE = join(SOURCES, 'index.html');

const STAMP = join(FOLDER, 'inputs');

/** The only compiled code of ours that a browser runs. */
const FOLDERS = [join(BUILD, 'src', 'web'), join(BUILD, 'src', 'domain')];
const OTHERS = [
  join(ROOT, 'package-lock.json'),
  fileURLToPath(import.meta.url),
  PAGE,
  ...readdirSync(STYLES).map((name) => join(STYLES, name)),
];

export async function bundleWeb(say) {
  const inputs = hashOf(FOLDERS, OTHERS);
  if (isMadeFrom(STAMP, inputs)) return;
  say('bundling the web app');
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      web: join(BUILD, 'src', 'web', 'main.js'),
      'web-style': join(STYLES, 'web.css'),
    },
    outdir: FOLDER,
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2023',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'warning',
  });
  checkHashed(
    Object.keys(metafile.inputs).map((file) => join(ROOT, file)),
    FOLDERS,
    OTHERS,
  );
  mkdirSync(FOLDER, { recursive: true });
  for (const { path, contents } of outputFiles)
    writeWhole(path.replace('web-style', 'web'), contents);
  // The page names the others, so it comes last.
  writeWhole(join(FOLDER, 'index.html'), readFileSync(PAGE));
  const names = outputFiles.map(({ path }) => basename(path).replace('web-style', 'web'));
  writeStamp(STAMP, inputs, [...names, 'index.html']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleWeb(console.error);
