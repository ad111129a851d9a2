import { readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from './cli/app.ts';
import type { ProbeChoices } from '@bursar/merchant-api';
import type { World } from './cli/context.ts';
import type { Clock } from './operations/context.ts';
import type { CommandOpeners } from './cli/context.ts';
import { packageRoot } from './local-stack/package-root.ts';
import type { Output } from './cli/terminal/terminal.ts';
import type { Settings } from './config.ts';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';

/** Columns of a terminal that does not report them. */
const COLUMNS_DEFAULT = 80;

/** The real openers, each loaded when a command needs it: help needs none. */
const open: CommandOpeners = {
  async settings({ env, cwd }) {
    const { loadSettings } = await import('./config.ts');
    return loadSettings({ env, cwd: () => cwd });
  },
  async store({ store }) {
    const { openStore } = await import('./store/index.ts');
    return openStore(store.url);
  },
  async blobs({ blob }) {
    const { createFiles } = await import('./files/index.ts');
    return createFiles(blob.url);
  },
  async engine(settings, env, patience) {
    const { loadTemporalAccess } = await import('./codec/temporal-access.ts');
    const { connectEngine } = await import('./operations/engine/temporal-engine.ts');
    const place = { ...loadTemporalAccess(settings, env), ...settings.temporal };
    return connectEngine(place, patience);
  },
  async namespace(settings, env) {
    const { loadTemporalAccess } = await import('./codec/temporal-access.ts');
    const { openNamespaceClient } = await import('./operations/engine/namespace-client.ts');
    return openNamespaceClient({ ...loadTemporalAccess(settings, env), ...settings.temporal });
  },
  service: openService,
  probe,
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

async function openService(settings: Settings) {
  const { clientOptions } = await import('./config.ts');
  const { createMerchantClient } = await import('@bursar/merchant-api');
  const options = clientOptions(settings);
  const { baseUrl, account } = options;
  return { api: createMerchantClient(options), baseUrl, account };
}

async function probe(settings: Settings, choices: ProbeChoices) {
  const { clientOptions } = await import('./config.ts');
  const { probeService } = await import('@bursar/merchant-api');
  return probeService({ ...clientOptions(settings), ...choices });
}

const clock: Clock = {
  nowMs: () => Date.now(),
  pause: (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined),
  /** Read when an instant is shown: Node.js opens its tables of time zones for it. */
  get timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
};

const outputOf = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => void stream.write(text),
  isTty: stream.isTTY ?? false,
  // Some terminals report 0.
  columns: stream.columns || COLUMNS_DEFAULT,
});

function readVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** A container may run under a number that has no name. */
function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

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
  clock,
  user: readUser(),
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
