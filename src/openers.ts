import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeChoices } from '@bursar/merchant-api';
import type { Settings } from './config.ts';
import type { Clock, Openers } from './operations/context.ts';

/** The real openers, each loaded when a command needs it: help needs none. */
export const realOpeners: Openers = {
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

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  pause: (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined),
  /** Read when an instant is shown: Node.js opens its tables of time zones for it. */
  get timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
};

/** The version of the package in a folder. */
export function readVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** A container may run under a number that has no name. */
export function readUser(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] ?? `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
