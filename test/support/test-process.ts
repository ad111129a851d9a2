import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export type ProcessSpec = Readonly<{
  /** Compiled module to run. */
  module: string;
  env: Readonly<Record<string, string>>;
  /** The line on standard output that says that it is ready. */
  ready: RegExp;
  cwd: string;
}>;

export type TestProcess = Readonly<{
  /** Ends it without any chance to clean up, as a loss of power would. Throws when it had ended by itself. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Stands it still, as a machine does that is out of memory or moved; it does not know of it. */
  freeze(): void;
  wake(): void;
  hasEnded(): boolean;
  /** Null while it runs, and when a signal ended it. */
  exitCode(): number | null;
  /** Everything that it wrote so far, for a failing test to show. */
  output(): string;
}>;

/** Starts a program of ours and waits until it says that it is ready. Throws with its output when it ends before. */
export async function startProcess({ module, env, ready, cwd }: ProcessSpec): Promise<TestProcess> {
  const child = spawn(process.execPath, [module], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += String(text);
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      output += String(text);
      if (ready.test(output)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${module} ended with ${code}: ${output}`)));
  });
  return {
    async kill() {
      await end(child, 'SIGKILL');
      if (child.signalCode !== 'SIGKILL') throw new Error(`${module} was gone already: ${output}`);
    },
    stop: () => end(child, 'SIGTERM'),
    freeze: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    exitCode: () => child.exitCode,
    output: () => output,
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
