import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './cli/app.ts';
import type { World } from './cli/context.ts';
import type { CommandOpeners } from './cli/context.ts';
import { packageRoot } from './local-stack/package-root.ts';
import type { Output } from './cli/terminal/terminal.ts';
import { readUser, readVersion, realOpeners, systemClock } from './openers.ts';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';

/** Columns of a terminal that does not report them. */
const COLUMNS_DEFAULT = 80;

/** The real openers, each loaded when a command needs it: help needs none. */
const open: CommandOpeners = {
  ...realOpeners,
  async stack(options) {
    const { startStack } = await import('./local-stack/index.ts');
    return startStack(options);
  },
  async temporalAlone(options) {
    const { startTemporalAlone } = await import('./local-stack/temporal/alone.ts');
    return startTemporalAlone(options);
  },
  async httpApi(surroundings, settings) {
    const { startHttpApi } = await import('./start-http-api.ts');
    return startHttpApi(surroundings, settings);
  },
};

const outputOf = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => void stream.write(text),
  isTty: stream.isTTY ?? false,
  // Some terminals report 0.
  columns: stream.columns || COLUMNS_DEFAULT,
});

/** The first Ctrl-C ends the command in order; a second one ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

/** The reader of our output may close it, as `head` does; the rest is then not needed. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

const root = packageRoot();
const world: World = {
  terminal: {
    out: outputOf(process.stdout),
    err: outputOf(process.stderr),
    input: { stream: process.stdin, isTty: process.stdin.isTTY ?? false },
  },
  env: process.env,
  cwd: process.cwd(),
  clock: systemClock,
  user: readUser(process.env),
  version: readVersion(root),
  nodeVersion: process.version,
  examplesDir: join(root, 'examples'),
  temporaryDir: tmpdir(),
  interrupted: interruption(),
  open,
};

endWithReader();
process.umask(PRIVATE_UMASK);
process.exitCode = await runCli(process.argv.slice(2), world);
// A command that was interrupted may leave a question or a connection open; nothing waits for them any more.
if (world.interrupted.aborted) process.exit();
