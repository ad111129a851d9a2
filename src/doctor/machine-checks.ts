import { storeFile } from '../domain/store/store-url.ts';
import { counted } from '../domain/text/counted.ts';
import { filesPlaceOf } from '../domain/store/files-url.ts';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { Settings } from '../config.ts';
import type { Store } from '../store/index.ts';
import { checkCopy, createFiles, type Files } from '../files/index.ts';
import { type Check, fail, ok, orFailed, warn } from './check.ts';

/** The oldest Node.js that Bursar runs on; `engines` in package.json has the same. */
export const NODE_VERSION_MIN = [20, 19] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [majorMin, minorMin] = NODE_VERSION_MIN;
  const isNew = major > majorMin || (major === majorMin && minor >= minorMin);
  if (isNew) return ok('Node.js', version);
  const wanted = NODE_VERSION_MIN.join('.');
  return fail('Node.js', {
    says: `${version} is too old`,
    fix: `Install Node.js ${wanted} or newer.`,
  });
}

const GIBIBYTE = 1024 ** 3;
/** A million rows take about half of it, with their report. */
const FREE_BYTES_LOW = 2 * GIBIBYTE;
const FREE_BYTES_MIN = GIBIBYTE / 4;

/** Whether the disk of the store has room: without it nothing is sent. */
export async function checkDisk({ store }: Settings): Promise<Check> {
  const file = storeFile(store.url);
  if (file === undefined)
    return ok('disk space', 'the store is on a server, which has its own disk');
  const folder = await existing(dirname(file));
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const says = `${(freeBytes / GIBIBYTE).toFixed(1)} GiB free for the store`;
  if (freeBytes >= FREE_BYTES_LOW) return ok('disk space', says);
  const fix = `Free some space on the disk of ${folder}.`;
  return freeBytes < FREE_BYTES_MIN
    ? fail('disk space', { says, fix })
    : warn('disk space', says, fix);
}

/** Whether the places for copies of files, for reports and for temporary files can be written. */
export async function checkFolders(
  { blob, report }: Settings,
  { open, temporaryDir }: Readonly<{ open: () => Promise<Files>; temporaryDir: string }>,
): Promise<Check[]> {
  const copies = filesPlaceOf(blob.url);
  return [
    ...(copies?.kind === 'folder'
      ? [await checkFolder(COPIES, copies.folder)]
      : await orFailed(COPIES, async () => [await checkBucket(await open())])),
    await checkFolder('reports', report.dir),
    await checkTemporary(temporaryDir),
  ];
}

const COPIES = 'copies of files';
/** A copy that the check of a bucket keeps there. Its name follows from its bytes, so there is one. */
const PROBE = Buffer.from('bursar doctor wrote this copy, to check the right to write\n');

/** Whether a copy can be written to the bucket, and read. */
async function checkBucket(files: Files): Promise<Check> {
  const sha256 = createHash('sha256').update(PROBE).digest('hex');
  await files.put(sha256, Readable.from([PROBE]));
  await checkCopy(await files.open(sha256));
  return ok(COPIES, `${files.url} can be written and read`);
}

/** No program makes this folder: plan and submit keep the rows of a file there. */
async function checkTemporary(folder: string): Promise<Check> {
  const name = 'temporary files';
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok(name, folder);
  } catch {
    return fail(name, {
      says: `${folder} is missing, or cannot be written`,
      fix: `Make ${folder}, or name another folder with TMPDIR.`,
    });
  }
}

async function checkFolder(name: string, folder: string): Promise<Check> {
  const nearest = await existing(folder);
  const isThere = nearest === folder;
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
    return ok(name, isThere ? folder : `Bursar makes ${folder} when needed`);
  } catch {
    return fail(name, {
      says: `${nearest} cannot be written`,
      fix: `Give yourself the right to write in ${nearest}, or choose another folder.`,
    });
  }
}

/** The folder or bucket from which schedules take files: without it each run fails. */
export async function checkScheduleFolder(
  { schedule }: Settings,
  store: Store,
): Promise<readonly Check[]> {
  const count = (await store.schedules.list()).length;
  const name = 'folder of schedules';
  if (count === 0) return [ok(name, 'there are no schedules')];
  if (filesPlaceOf(schedule.folder)?.kind === 'bucket') {
    return orFailed(name, async () => [
      await checkBucketFolder(name, createFiles(schedule.folder)),
    ]);
  }
  try {
    await access(schedule.folder, constants.R_OK | constants.X_OK);
    return [ok(name, schedule.folder)];
  } catch {
    const check = fail(name, {
      says: `${schedule.folder} cannot be read, and ${counted(count, 'schedule takes its', 'schedules take their')} files from it`,
      fix: `Make the folder, or set schedule.folder.`,
    });
    return [check];
  }
}

/** Whether the files of a bucket can be listed, and read. The right to read shows also with a file that is not there. */
async function checkBucketFolder(name: string, files: Files): Promise<Check> {
  const entries = files.list('')[Symbol.asyncIterator]();
  await entries.next();
  await entries.return?.();
  const probe = await files.read('bursar-doctor.csv');
  await probe?.close();
  return ok(name, `${files.url} can be listed and read`);
}

/** The folder itself, or the nearest one above it that is there. */
async function existing(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : existing(parent);
  }
}
