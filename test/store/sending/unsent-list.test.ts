import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { endUnsentAttempts } from '../../../src/activities/send/end-unsent.ts';
import type { Store } from '../../../src/store/index.ts';
import {
  type ListGround,
  openUnsentList,
  readEndedLists,
  type UnsentAttempt,
} from '../../../src/store/sending/unsent-list.ts';
import { buildUrl, runModule } from '../../support/child.ts';
import { planChunks, stagedChunk } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const NOW_MS = 1_800_000_000_000;

let folder: string;
let ground: ListGround;
beforeEach(() => {
  folder = temporaryFolder();
  ground = { storeUrl: `sqlite:${join(folder, 'store.db')}`, clock: 'this boot', epoch: 0 };
});

const AT = { batchId: 'b', chunk: 0, idempotencyKey: 'key' };
const listFiles = () => readdirSync(folder).filter((name) => name.includes('-unsent-'));
const attemptsOf = (more: Partial<ListGround> = {}) =>
  readEndedLists({ ...ground, ...more }).map(({ attempts }) => attempts);

/** Puts attempts on the list of a process of its own, which deletes those that `leave`, and is killed. */
async function listOfKilled(
  attempts: readonly Readonly<{ at: UnsentAttempt['at']; n: number; leaves?: boolean }>[],
): Promise<void> {
  const killed = runModule(`
    const { openUnsentList } = await import('${buildUrl('src/store/sending/unsent-list.js')}');
    const list = openUnsentList(${JSON.stringify(ground)});
    for (const { at, n, leaves } of ${JSON.stringify(attempts)}) {
      const id = list.add(at, n);
      if (leaves) list.delete(id);
    }
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => setInterval(() => undefined, 1000));
  `);
  await expect(killed).rejects.toThrow('the child ended with null');
}

describe('the unsent list of a process', () => {
  it('is not read while the process lives', () => {
    const list = openUnsentList(ground);
    list.add(AT, 1);
    expect(readEndedLists(ground)).toEqual([]);
    list.close();
  });

  it('shows after a kill which attempts never left', async () => {
    await listOfKilled([
      { at: AT, n: 1, leaves: true },
      { at: AT, n: 2 },
    ]);
    expect(attemptsOf()).toEqual([[expect.objectContaining({ at: AT, n: 2 })]]);
  });

  it('proves nothing on another boot', async () => {
    await listOfKilled([{ at: AT, n: 1 }]);
    expect(attemptsOf({ clock: 'another boot' })).toEqual([[]]);
  });

  it('is deleted when it is closed without an attempt', () => {
    const list = openUnsentList(ground);
    list.delete(list.add(AT, 1) ?? '');
    expect(listFiles()).not.toEqual([]);
    list.close();
    expect(listFiles()).toEqual([]);
  });

  it('proves nothing after a restore of its store', async () => {
    await listOfKilled([{ at: AT, n: 1 }]);
    expect(attemptsOf({ epoch: 1 })).toEqual([[]]);
  });

  it('proves nothing as a copy, whose original may have lost attempts since', async () => {
    await listOfKilled([{ at: AT, n: 1 }]);
    const [name = ''] = listFiles().filter((file) => file.endsWith('.db'));
    const copy = `store-unsent-${randomUUID()}.db`;
    for (const file of listFiles()) {
      copyFileSync(join(folder, file), join(folder, file.replace(name, copy)));
      rmSync(join(folder, file));
    }
    expect(attemptsOf()).toEqual([[]]);
  });

  it('takes no attempt off after it was closed: the request must not leave', () => {
    const list = openUnsentList(ground);
    const id = list.add(AT, 1) ?? '';
    list.close();
    expect(() => list.delete(id)).toThrow('closed');
  });

  it('is left alone while its process makes its tables, and deleted when it never had any', () => {
    const path = join(folder, `store-unsent-${randomUUID()}.db`);
    writeFileSync(path, '');
    expect(readEndedLists(ground)).toEqual([]);
    utimesSync(path, 1, 1);
    for (const list of readEndedLists(ground)) list.delete();
    expect(listFiles()).toEqual([]);
  });

  it('proves nothing when it cannot be read, and stops no worker', () => {
    writeFileSync(join(folder, `store-unsent-${randomUUID()}.db`), 'no database, '.repeat(100));
    mkdirSync(join(folder, `store-unsent-${randomUUID()}.db`));
    writeFileSync(join(folder, 'store-unsent-of another program.db'), '');
    expect(attemptsOf()).toEqual([[]]);
  });
});

describe('at the start of a worker', () => {
  let store: Store;
  let ref: UnsentAttempt['at'];
  beforeEach(async () => {
    store = await openTestStore(folder);
    await planChunks(store, 'b', [stagedChunk(0, 2)]);
    const { idempotencyKey } = await store.chunks.get('b', 0);
    ref = { batchId: 'b', chunk: 0, idempotencyKey };
  });
  afterEach(() => store.close());

  const end = () => endUnsentAttempts({ store, nowMs: () => NOW_MS }, readEndedLists(ground));

  const begin = async (unsentId: string) => {
    const intent = { payload: '{}', payloadSha256: 'p' };
    const attempt = { n: 1, timestampMs: 1, unsentId, bodySha256: 's', intent };
    expect(await store.sends.beginAttempt(ref, attempt)).toBe('begun');
  };

  /** Begins the attempt that is on the list of a killed process. */
  async function beginListed(): Promise<void> {
    await listOfKilled([{ at: ref, n: 1 }]);
    await begin(attemptsOf()[0]?.[0]?.id ?? '');
  }

  const outcomes = async () =>
    (await writableDb(store).selectFrom('attempt').selectAll().orderBy('n').execute()).map(
      ({ outcome, ended_ms }) => [outcome, ended_ms],
    );

  it('an attempt on the list of a killed worker ends as one that never left, and the list is deleted', async () => {
    await beginListed();
    expect(await end()).toBe(1);
    expect(await outcomes()).toEqual([['NOT_SENT', NOW_MS]]);
    expect(listFiles()).toEqual([]);
  });

  it('an attempt that has its end keeps it', async () => {
    await beginListed();
    await store.sends.endAttempt(ref, { n: 1, outcome: 'AMBIGUOUS', endedMs: 5 });
    expect(await end()).toBe(0);
    expect(await outcomes()).toEqual([['AMBIGUOUS', 5]]);
  });

  it('an attempt with the same key and number that another process began stays in doubt', async () => {
    await listOfKilled([{ at: ref, n: 1 }]);
    await begin('of another process');
    expect(await end()).toBe(0);
    expect(await outcomes()).toEqual([['PENDING', null]]);
  });

  it('an attempt whose commit never came is left out, also where the store has no such batch', async () => {
    await listOfKilled([
      { at: ref, n: 1 },
      { at: { ...AT, batchId: 'lost' }, n: 1 },
    ]);
    expect(await end()).toBe(0);
    expect(await outcomes()).toEqual([]);
  });
});
