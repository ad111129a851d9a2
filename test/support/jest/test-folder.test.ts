import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../temporary-folder.ts';
// @ts-expect-error jest loads it without compiling it, so it is JavaScript without types.
import { makeTestFolder } from './test-folder.mjs';

/** No process can have it. */
const ENDED_PID = 2 ** 31 - 1;

it('a run gets a folder of its own, and removes those of runs that were killed', () => {
  const place = temporaryFolder();
  const [ended, running, other] = [
    join(place, `bursar-tests-${ENDED_PID}-abcdef`),
    join(place, `bursar-tests-${process.ppid}-abcdef`),
    join(place, 'bursar-tests-of-somebody'),
  ];
  for (const folder of [ended, running, other])
    mkdirSync(join(folder, 'deep'), { recursive: true });

  const made = makeTestFolder({ pid: process.pid, place });

  expect([dirname(made), basename(made)]).toEqual([
    place,
    expect.stringMatching(new RegExp(`^bursar-tests-${process.pid}-`)),
  ]);
  expect([made, running, other].map((folder) => existsSync(folder))).toEqual([true, true, true]);
  expect(existsSync(ended)).toBe(false);
});
