#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { systemClock } from './clock.ts';
import { createSandbox } from './sandbox.ts';
import { readSettings, SettingsInvalid } from './settings.ts';
import type { SandboxSettingsSources } from './settings-sources.ts';
import { StoreUnusable } from './store/database.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** The exit code for wrong usage or settings, as for every program of Bursar. */
const EXIT_CONFIGURATION = 2;

/** Only the user who runs the sandbox can read its files, as for every program of Bursar. */
const PRIVATE_UMASK = 0o077;

/**
 * How far V8's heap may grow beyond its living objects before a collection, in percent.
 * V8's own limit is four times as high, so the bodies of old requests would pile up.
 */
const HEAP_GROWTH_PERCENT = 40;

/**
 * Reads `bursar.toml` of the working folder, or the file that `BURSAR_CONFIG` names, as every
 * program of Bursar does.
 */
function readSources(): SandboxSettingsSources {
  const { env } = process;
  const named = env['BURSAR_CONFIG'];
  const file = resolve(named || 'bursar.toml');
  return { env, folder: dirname(file), tomlText: readText(file, named ? [] : ['ENOENT']) };
}

function readText(file: string, harmless: readonly string[]): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (harmless.includes(code)) return '';
    throw new SettingsInvalid([`${file} cannot be read (${code})`]);
  }
}

async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const log = pino({ name: 'sandbox' }, pino.destination({ dest: 2, sync: true }));
  const settings = readSettings(readSources());
  const clock = settings.isClockVirtual ? createVirtualClock(Date.now()) : systemClock;
  const sandbox = createSandbox({ settings, clock, log });
  const stop = (): void => void sandbox.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const { url } = await sandbox.listen();
  process.stdout.write(`sandbox listening on ${url}\n`);
}

function explain(error: unknown): string {
  if (error instanceof SettingsInvalid || error instanceof StoreUnusable) return error.message;
  const isListenError = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  if (isListenError) return `Cannot listen: ${error.message}. Set BURSAR_SANDBOX_LISTEN.`;
  throw error;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(EXIT_CONFIGURATION);
}
