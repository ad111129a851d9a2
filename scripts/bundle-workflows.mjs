#!/usr/bin/env node
/**
 * Bundles the compiled workflows into build/workflow-bundle.js, which workers load.
 * Does and says nothing when the bundle is made from the same files already.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD, hashOf, isMadeFrom, ROOT, writeWhole } from './built.mjs';

const BUNDLE = join(BUILD, 'workflow-bundle.js');

/** Beside the bundle: the hash of everything that it was made from. */
const STAMP = `${BUNDLE}.inputs`;

/** Everything that workflows may import; see the import table in ARCHITECTURE.md. */
const ROOMS = ['workflows', 'contract', 'domain', 'spec'];

export async function bundleWorkflows(say) {
  const inputs = hashOf(ROOMS, [join(ROOT, 'node_modules/@temporalio/worker/package.json')]);
  if (existsSync(BUNDLE) && isMadeFrom(STAMP, inputs)) return;
  say('bundling workflows');
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(BUILD, 'src', 'workflows', 'index.js'),
    logger: new DefaultLogger('WARN'),
  });
  writeWhole(BUNDLE, code);
  writeWhole(STAMP, inputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleWorkflows(console.error);
