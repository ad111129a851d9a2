// Removes from a folder of packages all that this machine cannot run, or runs without: native parts of other platforms, the
// sources of native parts, and the compiler that only bundles workflows.
//   node one-platform.mjs node_modules
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [packages] = process.argv.slice(2);
const CPU = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
const CORE = join(packages, '@temporalio/core-bridge');

/** Removes all entries of a folder but one. Throws when that one is missing. */
function keepOnly(folder, kept) {
  if (!existsSync(join(folder, kept))) throw new Error(`${join(folder, kept)} is missing`);
  for (const name of readdirSync(folder)) {
    if (name !== kept) rmSync(join(folder, name), { recursive: true });
  }
}

keepOnly(join(CORE, 'releases'), `${CPU}-unknown-linux-gnu`);
keepOnly(join(packages, '@libsql'), `linux-${process.arch}-gnu`);
for (const sources of ['sdk-core', 'src', 'bridge-macros']) {
  rmSync(join(CORE, sources), { recursive: true, force: true });
}
rmSync(join(packages, '@swc'), { recursive: true, force: true });
