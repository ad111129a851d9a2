import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from './clock.ts';
import { createSandbox } from './sandbox.ts';
import { readSettings, SettingsInvalid } from './settings.ts';
import { StoreUnusable } from './store/database.ts';

/** Usage or configuration is wrong, as everywhere in Bursar. */
const EXIT_CONFIGURATION = 2;

const SETTINGS_FILE = 'bursar.toml';

/** The nearest folder upwards that has a settings file; the working folder when there is none. */
function findFolder(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, SETTINGS_FILE))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

function readSources() {
  const folder = findFolder(process.cwd());
  const file = join(folder, SETTINGS_FILE);
  const tomlText = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { env: process.env, tomlText, folder };
}

async function main(): Promise<void> {
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
