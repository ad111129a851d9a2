import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The compiled tree; `npm test` builds it first. */
export const buildUrl = (path: string): string =>
  pathToFileURL(fileURLToPath(new URL(`../../build/${path}`, import.meta.url))).href;

/** Runs a module text in a Node.js process of its own; answers with what it printed. Throws when it fails. */
export async function runModule(code: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let failure = '';
  child.stdout.on('data', (text) => {
    printed += String(text);
  });
  child.stderr.on('data', (text) => {
    failure += String(text);
  });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`the child ended with ${String(exitCode)}: ${failure}`);
  return printed;
}
