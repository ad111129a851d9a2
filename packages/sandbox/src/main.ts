#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { ZodError } from 'zod';
import { systemClock } from './clock.ts';
import { ArgumentsInvalid, callSandbox, readCommand, readJson } from './commands.ts';
import { replayCase, type ReplayResult } from './replay/replay.ts';
import { createSandbox } from './sandbox.ts';
import { readSettings, SettingsInvalid } from './settings.ts';
import type { SandboxSettingsSources } from './settings-sources.ts';
import { StoreUnusable } from './store/database.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** The exit code of a replay with another answer. */
const EXIT_DIFFERENT = 1;

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

/** Repeats a case. Returns 1 when an answer differs. */
async function replay(file: string, isJson: boolean): Promise<number> {
  const result = await replayCase(readJson(file));
  process.stdout.write(`${isJson ? jsonOf(result) : textOf(result)}\n`);
  return result.difference === null ? 0 : EXIT_DIFFERENT;
}

const jsonOf = (result: ReplayResult): string =>
  JSON.stringify({ schema: 'bursar.sandbox-replay/v1', ...result });

function textOf({ requests, difference }: ReplayResult): string {
  if (difference === null) return `${requests} requests have the same answers.`;
  const { number, operation, time, expected, actual } = difference;
  const what = `Request ${number} of ${requests} (${operation}, ${time}) has another answer.`;
  return `${what}\nexpected: ${expected}\nactual:   ${actual}`;
}

/** The address of the sandbox of the settings. */
function ownUrl(): string {
  const { host, port } = readSettings(readSources()).listen;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function start(): Promise<void> {
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

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (command.kind === 'start') return start();
  if (command.kind === 'help') process.stdout.write(command.text);
  else if (command.kind === 'replay') {
    process.exitCode = await replay(command.file, command.isJson);
  } else process.exitCode = await callSandbox(command.url ?? ownUrl(), command);
}

function explain(error: unknown): string {
  if (error instanceof ZodError) return `This is no case of the sandbox: ${error.message}`;
  if (error instanceof TypeError) return error.message;
  if (error instanceof ArgumentsInvalid) return error.message;
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
