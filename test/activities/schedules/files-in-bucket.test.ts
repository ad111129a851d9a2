import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Hex } from '../../../src/domain/sending/identity.ts';
import type { Files } from '../../../src/files/index.ts';
import { bucketFolder, bucketIn } from '../../support/bucket.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NOMINAL, type ScheduleWorld, scheduleWorld } from '../support/schedule-world.ts';

const NAME = 'pay-2026-05-04.csv';
const TEXT = 'address,amount\nx,1\n';

let world: ScheduleWorld;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => world.store.close());

async function worldWith(bucket: Files, pattern?: string): Promise<ScheduleWorld> {
  const file = { pattern: pattern ?? 'pay-{date}.csv', allowUnchanged: false };
  const made = await scheduleWorld(folder, pattern === undefined ? {} : { file });
  Object.assign(made.deps, { bucket, folder: bucket.url });
  return made;
}

/** The hash of the file that the run took, or the code of the refusal. */
async function takenOrRefused(): Promise<string> {
  await world.as('w1', ({ claimRuns }) =>
    claimRuns({ scheduleId: 'rent', startAt: '2026-05-04T09:00:00Z', demand: null }),
  );
  const run = { scheduleId: 'rent', nominal: NOMINAL, demand: null };
  const taken = await world.as('w1', ({ takeFile }) => takeFile(run));
  return taken.kind === 'taken' ? taken.batch.file.sha256 : taken.error.code;
}

function put(path: string, text = TEXT): void {
  mkdirSync(join(bucketFolder(folder), path, '..'), { recursive: true });
  writeFileSync(join(bucketFolder(folder), path), text);
}

describe('a run whose files are in a bucket', () => {
  it('takes its file by its name, and keeps a copy by its hash', async () => {
    world = await worldWith(bucketIn(folder));
    put(NAME);
    put('pay-2026-05-03.csv', 'other');
    expect(await takenOrRefused()).toBe(sha256Hex(TEXT));
    expect(await world.deps.blobs.has(sha256Hex(TEXT))).toBe(true);
  });

  it.each([
    ['no file', () => undefined, 'SCHEDULE_FILE_MISSING'],
    ['an empty file', () => put(NAME, ''), 'FILE_EMPTY'],
  ])('fails with %s', async (_, lay, code) => {
    world = await worldWith(bucketIn(folder));
    lay();
    expect(await takenOrRefused()).toBe(code);
  });

  it('fails with a path that a bucket does not have', async () => {
    world = await worldWith(bucketIn(folder), '.hidden.csv');
    expect(await takenOrRefused()).toBe('FILES_PATH_REFUSED');
  });

  it('finds the one file of a pattern with a star, below a folder', async () => {
    world = await worldWith(bucketIn(folder), 'in/pay-{date}-*.csv');
    put('in/pay-2026-05-04-a.csv');
    put('in/pay-2026-05-03-b.csv');
    put('in/deeper/pay-2026-05-04-c.csv');
    expect(await takenOrRefused()).toBe(sha256Hex(TEXT));
  });

  it('does not choose among several', async () => {
    world = await worldWith(bucketIn(folder), 'pay-*.csv');
    put('pay-1.csv');
    put('pay-2.csv');
    expect(await takenOrRefused()).toBe('SCHEDULE_FILE_SEVERAL');
  });

  it('fails when the file is replaced while it is read', async () => {
    const files = bucketIn(folder);
    let reads = 0;
    const replaced: Files = {
      ...files,
      read(path) {
        reads += 1;
        if (reads === 2) put(NAME, 'other');
        return files.read(path);
      },
    };
    world = await worldWith(replaced);
    put(NAME);
    expect(await takenOrRefused()).toBe('FILE_CHANGED');
    expect(await world.deps.blobs.has(sha256Hex(TEXT))).toBe(false);
  });

  it('refuses the very file of an earlier run', async () => {
    world = await worldWith(bucketIn(folder), 'pay.csv');
    put('pay.csv');
    expect(await takenOrRefused()).toBe(sha256Hex(TEXT));
    world.clock.nowMs += 7 * 86_400_000;
    const next = '2026-05-11T09:00';
    await world.as('w2', ({ claimRuns }) =>
      claimRuns({ scheduleId: 'rent', startAt: `${next}:00Z`, demand: null }),
    );
    const run = { scheduleId: 'rent', nominal: next, demand: null };
    const taken = await world.as('w2', ({ takeFile }) => takeFile(run));
    expect(taken).toMatchObject({ kind: 'refused', error: { code: 'SCHEDULE_FILE_UNCHANGED' } });
  });
});
