import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The compiled main file of the package `@bursar/sandbox`. */
export function sandboxProgram(): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve('@bursar/sandbox/package.json')), 'build/main.js');
}
