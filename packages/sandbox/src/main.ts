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

/** Usage or configuration is wrong, as everywhere in Bursar. */
const EXIT_CONFIGURATION = 2;

/** What the sandbox keeps can be read by the user alone that runs it, as everything of Bursar. */
const PRIVATE_UMASK = 0o077;

/**
 * How much more than its living objects V8's heap may hold before it is cleaned, in percent. Left to itself V8 lets the
 * bodies of old requests pile up to four times as much, as with the worker.
 */
const HEAP_GROWTH_PERCENT = 40;

/** `bursar.toml` is the one in the working folder, or what `BURSAR_CONFIG` names, as for all of Bursar. */
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
  const sandbox = createSandbox({ settings, clock: systemClock, log });
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
