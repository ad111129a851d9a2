import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

const PREFIX = 'bursar-tests-';

/** Matches the name of such a folder; the group is the id of the process that made it. */
const OWNER = new RegExp(`^${PREFIX}(\\d+)-`);

/**
 * Makes the folder for everything that a run of tests writes, and removes those of runs that were killed.
 *
 * Tests make and lose hundreds of small stores, and wait for each commit until it is on the disk: a third of the time of the
 * tests of commands. So the folder is in memory where there is room; with TMPDIR set it is there.
 */
export function makeTestFolder({ pid = process.pid, place = choosePlace() } = {}) {
  for (const name of readdirSync(place)) {
    const [, owner] = OWNER.exec(name) ?? [];
    if (owner !== undefined && !isRunning(Number(owner))) removeQuietly(join(place, name));
  }
  return mkdtempSync(join(place, `${PREFIX}${pid}-`));
}

function choosePlace() {
  return process.env.TMPDIR === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir();
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MEMORY_BYTES_MIN;
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, and belongs to another user.
    return error.code === 'EPERM';
  }
}

/** The folder of another user stays. */
function removeQuietly(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}
