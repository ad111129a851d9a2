import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onCleanup } from './start.ts';

const MAIN = fileURLToPath(new URL('../../build/main.js', import.meta.url));

export type Exit = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

export type Child = Readonly<{
  /** The address that the process announced. Rejects when it ends before. */
  url: Promise<string>;
  exit: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  stdout(): string;
  stderr(): string;
}>;

type Env = Readonly<Record<string, string>>;

/** A sandbox in a process of its own, as users start it; killed after the test if it still runs. */
export function startChild(folder: string, settings: Env = {}, more: Env = {}): Child {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing. Run "npm run build" first.`);
  const env = Object.fromEntries(
    Object.entries({ LISTEN: '127.0.0.1:0', ...settings }).map(([name, text]) => [
      `BURSAR_SANDBOX_${name}`,
      text,
    ]),
  );
  const child = spawn(process.execPath, [MAIN], { cwd: folder, env: { ...env, ...more } });
  const exit = new Promise<Exit>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  onCleanup(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  return {
    exit,
    url: announcedUrl(child, stdout),
    kill: (signal) => void child.kill(signal),
    stdout,
    stderr,
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')));
  return () => text;
}

const announcedUrl = (child: ChildProcess, stdout: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = /^sandbox listening on (\S+)\n/m.exec(stdout())?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('close', () => reject(new Error('The sandbox ended before it listened.')));
  });
