import { tmpdir } from 'node:os';
import { runCli } from '../../../src/cli/app.ts';
import type { World } from '../../../src/cli/context.ts';
import type { Clock, ServiceAccess } from '../../../src/operations/context.ts';
import type { CommandOpeners } from '../../../src/cli/context.ts';
import { loadSettings } from '../../../src/config.ts';
import { createFiles } from '../../../src/files/index.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { migrated } from '../../support/test-database.ts';
import { type FakeEngine, fakeEngine } from './fake-engine.ts';
import { type FakeTerminal, fakeTerminal, type TerminalOptions } from './fake-terminal.ts';

export const NOW = '2026-11-21T09:00:00.000Z';

export type WorldOptions = TerminalOptions &
  Readonly<{
    /** Working folder; everything that is written lies below it. */
    cwd: string;
    env?: Readonly<Record<string, string>>;
    service?: ServiceAccess;
    open?: Partial<CommandOpeners>;
    /** Called at each pause, which takes no time but moves the clock. */
    onPause?: (pauses: number, delayMs: number) => Promise<void> | void;
    /** Pauses in another way than by moving the clock. */
    pause?: Clock['pause'];
    engine?: FakeEngine;
    timeZone?: string;
    /** Default: that of the system. */
    temporaryDir?: string;
    interrupted?: AbortSignal;
  }>;

/** How a command line ended. */
export type Ran = Readonly<{ code: number; out: string; err: string }>;

export type FakeWorld = Readonly<{
  world: World;
  engine: FakeEngine;
  terminal: FakeTerminal;
  run(...args: string[]): Promise<Ran>;
  /** Runs with `-o json` and reads what was printed. */
  json(...args: string[]): Promise<{ code: number; value: Record<string, unknown> }>;
  /** Opens the store that commands of this world see. */
  store(): Promise<Store>;
}>;

const unexpected = (what: string) => () => Promise.reject(new Error(`${what} was not expected`));

/** A world with a real store, real files and real settings, in which Temporal, the service and processes are fakes. */
export function fakeWorld(options: WorldOptions): FakeWorld {
  const { cwd, engine = fakeEngine(), service, timeZone = 'UTC', pause } = options;
  const terminal = fakeTerminal(options);
  // Commands that start something need to know the service. Without its secret they do not call it.
  const api = { BURSAR_API_BASE_URL: 'https://service.example', BURSAR_API_KEY: 'key' };
  const env = { BURSAR_API_ACCOUNT: ACCOUNT, ...api, ...options.env };
  const world: World = {
    terminal,
    env,
    cwd,
    clock: { ...fakeClock(options.onPause, timeZone), ...(pause === undefined ? {} : { pause }) },
    user: 'alice',
    version: '9.9.9',
    nodeVersion: 'v20.19.0',
    examplesDir: cwd,
    temporaryDir: options.temporaryDir ?? tmpdir(),
    interrupted: options.interrupted ?? new AbortController().signal,
    open: {
      settings: async (place) => loadSettings({ env: place.env, cwd: () => place.cwd }),
      store: async ({ store }) => openStore(await migrated(store.url)),
      blobs: async ({ blob }) => createFiles(blob.url),
      engine: async () => engine,
      namespace: unexpected('a look at the namespace'),
      service: service === undefined ? unexpected('a call to the service') : async () => service,
      probe: unexpected('a probe of the service'),
      stack: unexpected('a stack'),
      temporalAlone: unexpected('a Temporal server'),
      httpApi: unexpected('an HTTP API'),
      ...options.open,
    },
  };
  const run = async (...args: string[]): Promise<Ran> => {
    const [out, err] = [terminal.printed().length, terminal.said().length];
    const code = await runCli(args, world);
    return { code, out: terminal.printed().slice(out), err: terminal.said().slice(err) };
  };
  return {
    world,
    engine,
    terminal,
    run,
    async json(...args) {
      const { code, out } = await run(...args, '-o', 'json');
      return { code, value: JSON.parse(out) as Record<string, unknown> };
    },
    store: async () => {
      const { store } = await world.open.settings({ env, cwd });
      return openStore(await migrated(store.url));
    },
  };
}

/** Pauses after which a test has gone wrong. */
const PAUSES_MAX = 1_000;

function fakeClock(onPause: WorldOptions['onPause'], timeZone: string): Clock {
  let nowMs = Date.parse(NOW);
  let pauses = 0;
  return {
    timeZone,
    nowMs: () => nowMs,
    async pause(delayMs) {
      pauses += 1;
      if (pauses > PAUSES_MAX) throw new Error('the command waits for ever');
      nowMs += delayMs;
      await onPause?.(pauses, delayMs);
    },
  };
}
