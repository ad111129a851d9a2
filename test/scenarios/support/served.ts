import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const STARTER = fileURLToPath(new URL('../../../build/programs/starter.js', import.meta.url));
const LISTENS = /The API listens at (http:\S+);/;

/** `bursar serve` in a folder, with the settings of `env`. */
export async function startServe(
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Readonly<{ url: string; output(): string; stop(): Promise<void> }>> {
  const child = spawn(process.execPath, [STARTER, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text) => {
      output += String(text);
      const found = LISTENS.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}
