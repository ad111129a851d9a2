import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Context } from '../context.ts';
import type { KeeperMessage } from '../../local-stack/processes/keeper.ts';
import { packageRoot } from '../../local-stack/package-root.ts';

/** How long the sandbox may take to end after SIGTERM before it is killed, in milliseconds. */
const STOP_GRACE_MS = 15_000;

export type ForegroundOptions = Context &
  Readonly<{
    /** Gets each line that the sandbox prints. */
    onLine: (line: string) => void;
  }>;

/**
 * Runs a sandbox until it ends or Ctrl-C, and returns its exit code. It ends with this process, even when that is
 * killed. Throws PROCESS_DIED when a signal that is not ours ends it.
 */
export async function runSandbox(options: ForegroundOptions): Promise<number> {
  const { interrupted, terminal, onLine } = options;
  const keeper = spawnKeeper(options);
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

/** Returns how the sandbox ended: the keeper reports it, unless the channel closed before. */
async function endOf(keeper: ChildProcess): Promise<string> {
  let told: string | undefined;
  keeper.on('message', (message: KeeperMessage) => {
    if ('ended' in message) told = message.ended;
  });
  const [[code, signal]] = await Promise.all([
    once(keeper, 'exit'),
    once(keeper, 'disconnect'),
    // The last lines of its output may come after its end.
    ...[keeper.stdout, keeper.stderr].map((stream) => stream !== null && finished(stream)),
  ]);
  return told ?? (signal === null ? `exit code ${code}` : `signal ${signal}`);
}

/** The sandbox has its own process group, so Ctrl-C does not reach it. It gets SIGTERM instead. */
function spawnKeeper({ env, cwd }: ForegroundOptions): ChildProcess {
  const built = join(packageRoot(), 'build');
  const program = [process.execPath, join(built, 'programs/sandbox.js')];
  const keeper = join(built, 'src/local-stack/processes/keeper.js');
  return spawn(process.execPath, [keeper, String(STOP_GRACE_MS), ...program], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}
