import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { createSandbox } from '../../src/sandbox.ts';
import { readSettings } from '../../src/settings.ts';
import { type Client, createClient } from './client.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export type Started = Readonly<{
  url: string;
  folder: string;
  client: Client;
  clock: ManualClock;
  close(): Promise<void>;
}>;

export type StartOptions = Readonly<{
  /** Settings without their prefix. */
  settings?: Readonly<Record<string, string>>;
  clock?: ManualClock;
  /** Folder of a sandbox that ran before. */
  folder?: string;
}>;

const cleanups: (() => Promise<void>)[] = [];

/** Runs after the test, last registered first. */
export const onCleanup = (cleanup: () => Promise<void>): void => void cleanups.push(cleanup);

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-sandbox-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A sandbox in this process, on a clock that stands still, closed after the test. */
export async function startSandbox(options: StartOptions = {}): Promise<Started> {
  const folder = options.folder ?? (await temporaryFolder());
  const clock = options.clock ?? createManualClock();
  const sandbox = createSandbox({ settings: settingsOf(folder, options.settings), clock });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await sandbox.close();
    isOpen = false;
  };
  onCleanup(close);
  const { url } = await sandbox.listen();
  return { url, folder, clock, close, client: createClient(url, clock.nowMs) };
}

export function settingsOf(folder: string, settings: Readonly<Record<string, string>> = {}) {
  const named = { LISTEN: '127.0.0.1:0', ...settings };
  const env = Object.fromEntries(
    Object.entries(named).map(([name, text]) => [`BURSAR_SANDBOX_${name}`, text]),
  );
  return readSettings({ env, tomlText: '', folder });
}

/** The length of one step of a mass payout by default. */
export const STEP_MS = 1_000;

export const steps = (clock: ManualClock, count: number): void => clock.advance(count * STEP_MS);
