import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LOADER = new URL('./typescript.mjs', import.meta.url).href;

export type TestChild = Readonly<{
  process: ChildProcess;
  /** Returns the output of stdout and stderr so far. */
  output(): string;
  /** Waits for the first line of stdout that starts with `start`. Returns the text after it. */
  line(start: string): Promise<string>;
  /**
   * Sends the signal and waits for the end. Returns the exit code, or null for an end by the
   * signal.
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}>;

export type TestChildOptions = Readonly<{
  args?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}>;

/** Runs a TypeScript file of the project in a child process. */
export function startChild(file: URL, { args = [], cwd, env = {} }: TestChildOptions): TestChild {
  const child = spawn(process.execPath, ['--import', LOADER, fileURLToPath(file), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd !== undefined && { cwd }),
  });
  // The last output of the child may come after its "exit" event.
  const ended = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  let output = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    child.emit('line');
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()));
  }
  return {
    process: child,
    output: () => output,
    async line(start) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(start));
        if (found !== undefined) return found.slice(start.length);
        await Promise.race([
          once(child, 'line'),
          ended.then(() => Promise.reject(new Error(`the child ended:\n${output}`))),
        ]);
      }
    },
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
