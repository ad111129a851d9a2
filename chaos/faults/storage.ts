import { execFile } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'libsql';
import type { Options } from '../options.ts';
import { type Fault, untilMet } from './fault.ts';

const run = promisify(execFile);

const FULL_MS = [3_000, 5_000] as const;
/** Longer than a statement waits for its turn. */
const LOCKED_MS = [11_000, 13_000] as const;

export const FULL_DISK = 'disk full';

export type Disk = Readonly<{
  /** Where a file system of its own is mounted. */
  path: string;
  sizeBytes: number;
  /** Folder of the logs, which tell whether anybody met a fault. */
  logs: string;
}>;

/** Whether a run has a disk of its own, which can be full. A server is not on it. */
export const canFillDisk = ({ stack, without }: Options): boolean =>
  stack === 'sqlite' && !without.includes(FULL_DISK);

export const storageFaults = (disk: Disk): Fault[] => [full(disk), locked(disk)];

/** Gives a folder a file system of its own, of which everything is lost with the process. */
export const mountDisk = ({ path, sizeBytes }: Disk): Promise<unknown> =>
  run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', path]);

const NO_SPACE = /STORE_FULL|disk is full|ENOSPC|no space left/i;
const LOCKED = /STORE_BUSY|database is locked/i;

/** The disk shrinks to what is on it. Somebody reads meanwhile, so that the space of what was read cannot be used again. */
const full = (disk: Disk): Fault => ({
  name: FULL_DISK,
  lastsMs: FULL_MS,
  async happen(ms) {
    const countMet = complaintsSince(disk, NO_SPACE);
    const reader = new Database(join(disk.path, 'store.db'), { readonly: true });
    try {
      reader.exec('begin');
      reader.prepare('select count(*) from batch').get();
      await shrink(disk);
      return await untilMet(ms, countMet);
    } finally {
      await resize(disk, disk.sizeBytes);
      reader.close();
    }
  },
});

/** It cannot be smaller than what is on it, and somebody may write between the look and the change. */
async function shrink(disk: Disk): Promise<void> {
  for (let spareBytes = 0; ; spareBytes += PAGE_BYTES) {
    try {
      return await resize(disk, usedBytes(disk) + spareBytes);
    } catch (error) {
      if (spareBytes > SPARE_BYTES_MAX) throw error;
    }
  }
}

const PAGE_BYTES = 4_096;
const SPARE_BYTES_MAX = 64 * PAGE_BYTES;

async function resize({ path }: Disk, sizeBytes: number): Promise<void> {
  await run('mount', ['-o', `remount,size=${sizeBytes}`, path]);
}

function usedBytes({ path }: Disk): number {
  const { blocks, bfree, bsize } = statfsSync(path);
  return (blocks - bfree) * bsize;
}

/** Somebody else holds the lock of the store for longer than anybody waits for it. */
const locked = (disk: Disk): Fault => ({
  name: 'store locked',
  lastsMs: LOCKED_MS,
  async happen(ms) {
    const countMet = complaintsSince(disk, LOCKED);
    const store = new Database(join(disk.path, 'store.db'), { timeout: 0 });
    try {
      await lock(store);
      const met = await untilMet(ms, countMet);
      store.exec('rollback');
      return met;
    } finally {
      store.close();
    }
  },
});

async function lock(store: InstanceType<typeof Database>): Promise<void> {
  for (;;) {
    try {
      store.exec('begin immediate');
      return;
    } catch {
      await pause(20);
    }
  }
}

/** Those who use the store, by the beginnings of the names of their logs. Others have troubles of their own. */
const USERS = ['worker-', 'bridge.'];

/** How often those who use the store speak of a trouble from now on. What they said before is not read again. */
function complaintsSince({ logs }: Disk, trouble: RegExp): () => number {
  const names = (): string[] =>
    readdirSync(logs).filter((name) => USERS.some((user) => name.startsWith(user)));
  const said = new Map(names().map((name) => [name, statSync(join(logs, name)).size]));
  const saidSince = (name: string): string => {
    const log = openSync(join(logs, name), 'r');
    try {
      const fromBytes = said.get(name) ?? 0;
      const buffer = Buffer.alloc(Math.max(0, fstatSync(log).size - fromBytes));
      return buffer.toString('utf8', 0, readSync(log, buffer, { position: fromBytes }));
    } finally {
      closeSync(log);
    }
  };
  const complaintsOf = (name: string): number =>
    saidSince(name)
      .split('\n')
      .filter((line) => trouble.test(line)).length;
  return () => names().reduce((times, name) => times + complaintsOf(name), 0);
}
