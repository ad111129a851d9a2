import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { packageRoot } from '../../local-stack/package-root.ts';
import { endOf, spawnKeeper } from '../../local-stack/processes/child.ts';
import type { Context } from '../context.ts';

/**
 * Runs the sandbox's program, with these arguments, until it ends or Ctrl-C, and returns its exit code. It ends with this process, even when that is
 * killed. `onLine` gets each line that it prints. Throws PROCESS_DIED when a signal that is not ours ends it.
 */
export async function runSandbox(
  { env, cwd, interrupted, terminal }: Context,
  onLine: (line: string) => void,
  args: readonly string[] = [],
): Promise<number> {
  const program = join(packageRoot(), 'build/programs/sandbox.js');
  const keeper = spawnKeeper({ command: [process.execPath, program, ...args], env, cwd }, 'pipe');
  const ended = endOf(keeper);
  if (keeper.stdout !== null) createInterface({ input: keeper.stdout }).on('line', onLine);
  keeper.stderr?.on('data', (piece: Buffer) => terminal.err.write(piece.toString('utf8')));
  const stop = (): void => {
    if (keeper.connected) keeper.disconnect();
  };
  interrupted.addEventListener('abort', stop, { once: true });
  if (interrupted.aborted) stop();

  const end = await ended;
  const [, code] = /^exit code (\d+)$/.exec(end) ?? [];
  if (code !== undefined) return Number(code);
  throw new BursarError('PROCESS_DIED', { name: 'sandbox', code: end, log: 'the output above' });
}
