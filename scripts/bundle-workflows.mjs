#!/usr/bin/env node
/**
 * Bundles the compiled workflows into build/workflow-bundle.js, which workers load.
 * Does and says nothing when the bundle is made from the same files already.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILD = join(ROOT, 'build');
const BUNDLE = join(BUILD, 'workflow-bundle.js');

/** Beside the bundle: the hash of everything that it was made from. */
const STAMP = `${BUNDLE}.inputs`;

/** Everything that workflows may import; see the import table in ARCHITECTURE.md. */
const ROOMS = ['workflows', 'contract', 'domain', 'spec'];

export async function bundleWorkflows(say) {
  const inputs = hashInputs();
  if (existsSync(BUNDLE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return;
  say('bundling workflows');
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(BUILD, 'src', 'workflows', 'index.js'),
    logger: new DefaultLogger('WARN'),
  });
  writeWhole(BUNDLE, code);
  writeWhole(STAMP, inputs);
}

function hashInputs() {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(ROOT, 'node_modules/@temporalio/worker/package.json')));
  for (const file of ROOMS.flatMap(compiledFiles))
    hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function compiledFiles(room) {
  const folder = join(BUILD, 'src', room);
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .sort((a, b) => a.localeCompare(b))
    .map((file) => join(folder, file));
}

/** A worker that starts meanwhile reads the old file or the new one, never a part. */
function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleWorkflows(console.error);
