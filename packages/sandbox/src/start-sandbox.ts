import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Endpoints } from '@bursar/merchant-api/spec';
import type {
  AdminAnswer,
  AdminEndpoint,
  AdminFault,
  AdminMassPayout,
  AdminSnapshot,
} from './admin/index.ts';
import type { SandboxSeed } from './http/admin/seeds.ts';
import { callAdmin } from './call-admin.ts';
import { systemClock } from './clock.ts';
import type { FateRule } from './core/fate-rules.ts';
import type { FaultRule } from './core/faults.ts';
import type { SomeModes } from './core/modes.ts';
import { durationMs } from './durations.ts';
import { settingOf } from './modes.ts';
import { createSandbox } from './sandbox.ts';
import { readSettings, type SandboxServerSettings } from './settings.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** A key for the sandbox, with the accounts that it may name. */
export type SandboxKey = Readonly<{ key: string; secret: string; accounts: readonly string[] }>;

/** See README.md, "In a test suite". What is left out has the default of its setting. */
export type StartSandboxOptions = Readonly<{
  /** `virtual`: time stands still until it is advanced. The default is `system`. */
  clock?: 'system' | 'virtual';
  /** With a virtual clock: the first time that it shows. The default is the computer's time. */
  startTime?: Date;
  /** Whether timestamps of requests are compared with the sandbox's clock, the default, or the computer's. */
  timestamps?: 'service' | 'computer';
  modes?: SomeModes;
  faults?: readonly FaultRule[];
  fates?: readonly FateRule[];
  /** Decimal text by currency. */
  balances?: Readonly<Record<string, string>>;
  endpoints?: Partial<Endpoints>;
  /** Milliseconds between two states of a mass payout. */
  stepMs?: number;
  keys?: readonly SandboxKey[];
  /** False: every webhook counts as delivered, and none is sent. */
  sendsWebhooks?: boolean;
  /** The file of the store. It stays after `stop`. Without it the data lasts until `stop`. */
  storePath?: string;
  /** Other settings by their names without the prefix, as in `{ FEE_PERCENT: '0' }`. */
  settings?: Readonly<Record<string, string>>;
}>;

export type RunningSandboxClock = Readonly<{
  /** Milliseconds since 1970, for the timestamps of requests. */
  nowMs(): number;
  /**
   * Lets time pass: a number of milliseconds, or text such as `90s`, `5m`, `30h`, `2d`. Resolves
   * when everything that was due until then has happened. Rejects unless the clock is virtual.
   */
  advance(duration: number | string): Promise<void>;
}>;

export type RunningSandbox = Readonly<{
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The first key, its secret and its first account. */
  key: string;
  secret: string;
  account: string;
  clock: RunningSandboxClock;
  /** Calls the admin API. Rejects with the message of a refusal. */
  admin<Endpoint extends AdminEndpoint>(
    endpoint: Endpoint,
    input?: object,
  ): Promise<AdminAnswer<Endpoint>>;
  addFault(rule: FaultRule): Promise<AdminFault>;
  /** Removes every fault. */
  clearFaults(): Promise<void>;
  /** Replaces the rules that decide the results of withdrawals. With null the settings decide. */
  setFates(rules: readonly FateRule[] | null): Promise<void>;
  /** Changes some modes and keeps the others. */
  setModes(modes: SomeModes): Promise<void>;
  topUp(currency: string, amount: string): Promise<void>;
  /** Adds a mass payout in any state. See README.md, "Mass payouts in any state". */
  seed(massPayout: SandboxSeed): Promise<AdminMassPayout>;
  /** Starts afresh, with the same settings, as after `startSandbox`. */
  reset(): Promise<void>;
  snapshot(): Promise<AdminSnapshot>;
  restore(snapshot: Readonly<{ id: string }>): Promise<void>;
  /** Stops the sandbox, and removes its data unless `storePath` was given. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}>;

/**
 * Starts a sandbox in this process, on a free port of 127.0.0.1. Throws SettingsInvalid, and
 * StoreUnusable when the store cannot be opened.
 */
export const startSandbox = (options: StartSandboxOptions = {}): Promise<RunningSandbox> =>
  startSandboxIn(tmpdir(), options);

/** Does what startSandbox does. Data that does not stay lies in a new folder in `parentFolder`. */
export async function startSandboxIn(
  parentFolder: string,
  options: StartSandboxOptions,
): Promise<RunningSandbox> {
  const place = openPlace(parentFolder, options.storePath);
  try {
    const settings = settingsOf(options, place.storePath);
    const startMs = options.startTime?.getTime() ?? systemClock.nowMs();
    const clock = settings.isClockVirtual ? createVirtualClock(startMs) : systemClock;
    const isTemporary = options.storePath === undefined;
    const { sendsWebhooks = true } = options;
    const sandbox = createSandbox({ settings, clock, isTemporary, sendsWebhooks });
    const { url } = await sandbox.listen();
    const stop = async (): Promise<void> => {
      await sandbox.close();
      place.remove();
    };
    return { url, ...firstKeyOf(settings), ...controlsOf(url, clock.nowMs), ...onceOnly(stop) };
  } catch (error) {
    place.remove();
    throw error;
  }
}

type Place = Readonly<{ storePath: string; remove(): void }>;

function openPlace(parentFolder: string, storePath: string | undefined): Place {
  if (storePath !== undefined) return { storePath: resolve(storePath), remove: () => {} };
  const folder = mkdtempSync(join(parentFolder, 'bursar-sandbox-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  // A test that ends its process does not stop the sandbox.
  process.on('exit', remove);
  return { storePath: join(folder, 'sandbox.db'), remove };
}

const onceOnly = (stop: () => Promise<void>) => {
  let stopped: Promise<void> | null = null;
  const once = (): Promise<void> => (stopped ??= stop());
  return { stop: once, [Symbol.asyncDispose]: once };
};

function settingsOf(options: StartSandboxOptions, storePath: string): SandboxServerSettings {
  const named: Record<string, string | undefined> = {
    LISTEN: '127.0.0.1:0',
    STORE_URL: `sqlite:${storePath}`,
    CLOCK: options.clock,
    TIMESTAMPS: options.timestamps,
    STEP_MS: options.stepMs?.toString(),
    FAULTS: jsonOf(options.faults),
    FATES: jsonOf(options.fates),
    BALANCES: jsonOf(options.balances),
    KEYS: options.keys?.flatMap(keyTexts).join(','),
    ...Object.fromEntries(Object.entries(options.modes ?? {}).map(modeSetting)),
    ...Object.fromEntries(Object.entries(options.endpoints ?? {}).map(endpointSetting)),
    ...options.settings,
  };
  const env = Object.fromEntries(
    Object.entries(named).map(([name, text]) => [`BURSAR_SANDBOX_${name}`, text]),
  );
  return readSettings({ env, tomlText: '', folder: process.cwd() });
}

const jsonOf = (value: object | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

const keyTexts = ({ key, secret, accounts }: SandboxKey): string[] =>
  accounts.map((account) => `${key}:${secret}:${account}`);

type ModeSetting = [name: string, value: SomeModes[keyof SomeModes]];

const modeSetting = ([name, value]: ModeSetting): [string, string | undefined] => [
  settingOf(name),
  value === null ? 'none' : value?.toString(),
];

const endpointSetting = ([operation, path]: [string, string]): [string, string] => [
  `ENDPOINT_${operation}`,
  path,
];

function firstKeyOf({ keys }: SandboxServerSettings) {
  const [first] = keys;
  const [key, { secret, accounts }] = first ?? ['', { secret: '', accounts: [] }];
  return { key, secret, account: accounts[0] ?? '' };
}

function controlsOf(url: string, nowMs: () => number) {
  const admin: RunningSandbox['admin'] = (endpoint, input) => callAdmin(url, endpoint, input);
  const clock: RunningSandboxClock = {
    nowMs,
    async advance(duration) {
      await admin('POST /clock/advance', { ms: durationMs(duration) });
    },
  };
  return {
    clock,
    admin,
    addFault: (rule: FaultRule) => admin('POST /faults', rule),
    async clearFaults() {
      await admin('DELETE /faults');
    },
    async setFates(fates: readonly FateRule[] | null) {
      await admin('PUT /fates', { fates });
    },
    async setModes(modes: SomeModes) {
      const { overrides } = await admin('GET /modes');
      await admin('PUT /modes', { ...overrides, ...modes });
    },
    async topUp(currency: string, amount: string) {
      await admin('POST /top-up', { currency, amount });
    },
    seed: (massPayout: SandboxSeed) => admin('POST /mass-payouts', massPayout),
    async reset() {
      await admin('POST /reset');
    },
    snapshot: () => admin('POST /snapshots'),
    async restore({ id }: Readonly<{ id: string }>) {
      await admin('POST /snapshots/restore', { id });
    },
  };
}
