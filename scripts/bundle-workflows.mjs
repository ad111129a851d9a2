#!/usr/bin/env node
/**
 * Bundles the compiled workflows, which workers load: build/workflow-bundle.js, and build/workflow-bundle-encrypted.js, whose
 * failures keep their words where a codec encrypts them, and which gives payloads in clear no effect. Does and says nothing when a bundle is made from the same files already.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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

const workflowFile = (name) => join(BUILD, 'src', 'workflows', name);

const FAILURE_CONVERTER = join(BUILD, 'src', 'codec', 'failure-converter.js');

const BUNDLES = {
  'workflow-bundle.js': {
    workflowInterceptorModules: [workflowFile('interceptors.js'), workflowFile('run-end.js')],
  },
  'workflow-bundle-encrypted.js': {
    failureConverterPath: FAILURE_CONVERTER,
    // The first one is the outermost: it opens the arguments that the others read.
    workflowInterceptorModules: ['clear-payloads.js', 'interceptors.js', 'run-end.js'].map(
      workflowFile,
    ),
  },
};

/** Everything that workflows may import; see the import table in ARCHITECTURE.md. */
const FOLDERS = [
  ...['workflows', 'contract', 'domain'].map((room) => join(BUILD, 'src', room)),
  join(builtPackage('merchant-api'), 'spec'),
];

const OTHERS = [join(ROOT, 'package-lock.json'), FAILURE_CONVERTER, fileURLToPath(import.meta.url)];

/**
 * Pure modules, with all that they import, that the workflows of a worker share, frozen. Each workflow has every other module
 * for itself, 520 KiB without these. A module that keeps state of a workflow must never be one of them.
 */
const SHARED_MODULES = [
  'approval/p256.js',
  'errors/catalogue.js',
  'schedule/zone.js',
  'sending/identity.js',
].map((file) => join(BUILD, 'src', 'domain', file));

const SOURCE_MAP = '//# sourceMappingURL=';

export async function bundleWorkflows(say) {
  const inputs = hashOf(FOLDERS, OTHERS);
  for (const [name, options] of Object.entries(BUNDLES)) {
    const bundle = join(BUILD, name);
    // Beside the bundle: the hash of everything that it was made from.
    const stamp = `${bundle}.inputs`;
    if (isMadeFrom(stamp, inputs)) continue;
    say(`bundling workflows (${name})`);
    const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
    const { code } = await bundleWorkflowCode({
      workflowsPath: workflowFile('index.js'),
      preloadModules: SHARED_MODULES,
      logger: new DefaultLogger('WARN'),
      ...options,
    });
    checkHashed(sourcesOf(code), FOLDERS, OTHERS);
    writeWhole(bundle, code);
    writeStamp(stamp, inputs, [name]);
  }
}

/** The files that a bundle was made from, by its source map. Webpack and the SDK add parts that are no files. */
function sourcesOf(code) {
  const [, map] = code.slice(code.lastIndexOf(SOURCE_MAP)).split('base64,');
  const { sources } = JSON.parse(Buffer.from(map, 'base64').toString('utf8'));
  return sources.filter((source) => existsSync(source));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleWorkflows(console.error);
