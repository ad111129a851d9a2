import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findScheduledFile } from '../../../src/activities/schedules/find-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NOMINAL, type ScheduleWorld, scheduleWorld } from '../support/schedule-world.ts';

/** What lies in the folder of scheduled files, by a word. */
type Lay = (incoming: string, outside: string) => void;

let world: ScheduleWorld;
let outside: string;
beforeEach(async () => {
  const folder = temporaryFolder();
  world = await scheduleWorld(folder);
  outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.csv'), 'address,amount\nx,1\n');
});
afterEach(() => world.store.close());

const NAME = 'pay-2026-05-04.csv';

async function takenOrRefused(): Promise<string> {
  await world.as('w1', ({ claimRuns }) =>
    claimRuns({ scheduleId: 'rent', startAt: '2026-05-04T09:00:00Z', demand: null }),
  );
  const run = { scheduleId: 'rent', nominal: NOMINAL, demand: null };
  const taken = await world.as('w1', ({ takeFile }) => takeFile(run));
  return taken.kind === 'taken' ? taken.batch.file.name : taken.error.code;
}

const CASES: readonly (readonly [what: string, lay: Lay, outcome: string])[] = [
  ['nothing', () => undefined, 'SCHEDULE_FILE_MISSING'],
  [
    'no folder at all',
    (incoming) => rmSync(incoming, { recursive: true }),
    'SCHEDULE_FILE_MISSING',
  ],
  ['an empty file', (incoming) => writeFileSync(join(incoming, NAME), ''), 'FILE_EMPTY'],
  ['a folder', (incoming) => mkdirSync(join(incoming, NAME)), 'FILE_NOT_REGULAR'],
  [
    'a named pipe without a writer',
    (incoming) => execFileSync('mkfifo', [join(incoming, NAME)]),
    'FILE_NOT_REGULAR',
  ],
  [
    'a link to a file outside',
    (incoming, other) => symlinkSync(join(other, 'secret.csv'), join(incoming, NAME)),
    'SCHEDULE_FILE_OUTSIDE',
  ],
  [
    'a link that climbs out',
    (incoming) => symlinkSync('../outside/secret.csv', join(incoming, NAME)),
    'SCHEDULE_FILE_OUTSIDE',
  ],
  [
    'a link to a device',
    (incoming) => symlinkSync('/dev/zero', join(incoming, NAME)),
    'SCHEDULE_FILE_OUTSIDE',
  ],
  [
    'a link to nothing',
    (incoming) => symlinkSync('nowhere.csv', join(incoming, NAME)),
    'SCHEDULE_FILE_MISSING',
  ],
  ['a link to itself', (incoming) => symlinkSync(NAME, join(incoming, NAME)), 'FILE_UNREADABLE'],
  [
    'a link to the folder itself',
    (incoming) => symlinkSync('.', join(incoming, NAME)),
    'SCHEDULE_FILE_OUTSIDE',
  ],
  [
    'a link to another file of the folder',
    (incoming) => {
      writeFileSync(join(incoming, 'may.csv'), 'x');
      symlinkSync('may.csv', join(incoming, NAME));
    },
    NAME,
  ],
  ['a file', (incoming) => writeFileSync(join(incoming, NAME), 'x'), NAME],
];

describe('where the file of a run should be there is', () => {
  it.each(CASES)('%s', async (_what, lay, outcome) => {
    lay(world.incoming, outside);
    expect(await takenOrRefused()).toBe(outcome);
  });

  it('a file in a folder that leads out', async () => {
    symlinkSync(outside, join(world.incoming, 'sub'));
    const wish = {
      scheduleId: 'rent',
      folder: world.incoming,
      bucket: null,
      pattern: 'sub/secret.csv',
      nominal: NOMINAL,
    };
    await expect(findScheduledFile(wish)).rejects.toMatchObject({ code: 'SCHEDULE_FILE_OUTSIDE' });
    const starred = { ...wish, pattern: 'sub/*.csv' };
    await expect(findScheduledFile(starred)).rejects.toMatchObject({
      code: 'SCHEDULE_FILE_OUTSIDE',
    });
  });

  it('a folder of scheduled files that is a link itself', async () => {
    world.put('a.csv', 'x');
    const link = join(outside, 'link');
    symlinkSync(world.incoming, link);
    const about = { scheduleId: 'rent', pattern: 'a.csv', nominal: NOMINAL };
    const wish = { ...about, folder: link, bucket: null };
    expect(await findScheduledFile(wish)).toMatchObject({ name: 'a.csv' });
  });

  it('a file that may not be read', async () => {
    // Root may read everything, so there is nothing to see then.
    if (process.getuid?.() === 0) return;
    world.put(NAME);
    chmodSync(join(world.incoming, NAME), 0);
    expect(await takenOrRefused()).toBe('FILE_UNREADABLE');
  });
});

describe('a pattern with a star', () => {
  const find = (pattern: string) =>
    findScheduledFile({
      scheduleId: 'rent',
      folder: world.incoming,
      bucket: null,
      pattern,
      nominal: NOMINAL,
    });

  it('finds the one file that it means, with the date in it', async () => {
    for (const name of ['pay-2026-05-03-a.csv', 'pay-2026-05-04-b.csv', '.pay-2026-05-04-c.csv']) {
      world.put(name);
    }
    expect((await find('pay-{date}-*.csv')).name).toBe('pay-2026-05-04-b.csv');
  });

  it('does not choose among several', async () => {
    for (let i = 0; i < 8; i += 1) world.put(`pay-${i}.csv`);
    await expect(find('pay-*.csv')).rejects.toMatchObject({
      code: 'SCHEDULE_FILE_SEVERAL',
      facts: { names: 'pay-0.csv, pay-1.csv, pay-2.csv, pay-3.csv, pay-4.csv and 3 more' },
    });
  });

  it('finds nothing in a folder that is empty, or that is none', async () => {
    world.put('sub');
    for (const pattern of ['*.csv', 'sub/*.csv', 'none/*.csv']) {
      await expect(find(pattern)).rejects.toMatchObject({ code: 'SCHEDULE_FILE_MISSING' });
    }
  });
});
