#!/usr/bin/env node
/**
 * Writes the sandbox into a folder that needs nothing but Node.js: one file of JavaScript, the console, and libsql for
 * this platform, whose native part cannot be bundled. Usage: node scripts/bundle-sandbox.mjs FOLDER
 */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { builtPackage, ROOT } from './built.mjs';

const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('Usage: node scripts/bundle-sandbox.mjs FOLDER\n');
  process.exit(2);
}

const { resolve: find } = createRequire(join(ROOT, 'package.json'));
const { currentTarget } = createRequire(find('libsql'))('@neon-rs/load');

/** The packages that the bundle loads from beside itself: libsql, and what the console's page reads. */
const PACKAGES = ['libsql', '@neon-rs/load', 'detect-libc', `@libsql/${currentTarget()}`, 'preact'];

const folder = resolve(target);
const installed = join(folder, 'node_modules');
rmSync(installed, { recursive: true, force: true });
mkdirSync(installed, { recursive: true });

await build({
  absWorkingDir: ROOT,
  entryPoints: [join(builtPackage('sandbox'), 'main.js')],
  outfile: join(folder, 'bursar-sandbox.mjs'),
  bundle: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['libsql'],
  legalComments: 'linked',
  banner: {
    js: "import { createRequire as bursarRequire } from 'node:module';\nconst require = bursarRequire(import.meta.url);",
  },
});

for (const name of PACKAGES) {
  cpSync(join(ROOT, 'node_modules', name), join(installed, name), { recursive: true });
}

const from = join(ROOT, 'packages/sandbox');
const own = join(installed, '@bursar/sandbox');
for (const part of ['package.json', 'LICENSE', 'src/console', 'build/console']) {
  cpSync(join(from, part), join(own, part), {
    recursive: true,
    filter: (file) => !/\.(?:tsx?|tsbuildinfo)$/.test(file),
  });
}

const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
process.stdout.write(`${join(folder, 'bursar-sandbox.mjs')}: version ${version}\n`);
