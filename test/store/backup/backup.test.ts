import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkLog } from '../../../src/report/verify/check-log.ts';
import { createProblems } from '../../../src/report/verify/problems.ts';
import { restoreStore } from '../../../src/store/backup/restore-backup.ts';
import { backUpStore } from '../../../src/store/backup/write-backup.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AT_MS = 1_800_000_000_000;

let folder: string;
let store: Store;
let path: string;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  path = join(folder, 'backup.gz');
  await planBatch(store, 'b', 450);
});
afterEach(() => store.close());

const backUp = async () => backUpStore(await testStoreUrl(folder), { path, atMs: AT_MS });
const emptyUrl = () => testStoreUrl(temporaryFolder());
const restore = (url: string) => restoreStore(url, { path, atMs: AT_MS + 1, actor: 'mira' });

async function restoredUrl(): Promise<string> {
  const url = await emptyUrl();
  await restore(url);
  return url;
}

const linesOf = (): string[] =>
  gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
const writeLines = (lines: readonly string[]): void =>
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`));

/** The lines of a backup between its head and its end, without what a restore adds. */
const rowsOf = (): string[] => linesOf().slice(1, -1);

describe('a backup', () => {
  it('that was restored is the store again, as an older copy', async () => {
    const made = await backUp();
    const url = await emptyUrl();
    expect(await restore(url)).toEqual(made);
    const restored = await openStore(url);
    try {
      expect((await restored.identity.ref()).id).toBe((await store.identity.ref()).id);
      expect(await restored.chunks.get('b', 449)).toMatchObject({ state: 'PLANNED' });
      expect(await restored.restores.lastAtMs()).toBe(AT_MS + 1);
      const check = await restored.audit.verify();
      expect(check).toMatchObject({ broken: null });
      const [last] = (await restored.audit.list({ limit: 10_000 })).slice(-1);
      expect(last).toMatchObject({ actor: 'mira', action: 'store-restored' });
    } finally {
      await restored.close();
    }
  });

  it('that was restored has no statement that a person would have to sign', async () => {
    await backUp();
    const restored = await openStore(await restoredUrl());
    try {
      const problems = createProblems();
      const { olderNotes } = await checkLog(restored, { batchId: 'b', quoted: [] }, problems);
      expect([olderNotes, problems.listed()]).toEqual([[], []]);
    } finally {
      await restored.close();
    }
  });

  it('of a restored store has every row of the first one', async () => {
    await backUp();
    const before = rowsOf();
    const url = await restoredUrl();
    path = join(folder, 'again.gz');
    await backUpStore(url, { path, atMs: AT_MS });
    const after = new Set(rowsOf());
    expect(before.filter((line) => !after.has(line))).toEqual([]);
    // What the declaration of the older copy wrote.
    expect(after.size - new Set(before).size).toBeLessThan(5);
  });

  it('goes on with its numbers after a restore', async () => {
    await backUp();
    const restored = await openStore(await restoredUrl());
    try {
      await planBatch(restored, 'later', 2);
      expect(await restored.audit.verify()).toMatchObject({ broken: null });
    } finally {
      await restored.close();
    }
  });

  it('is a file that only its owner can read, and leaves no other behind', async () => {
    const before = readdirSync(folder);
    await backUp();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => !before.includes(name))).toEqual(['backup.gz']);
  });

  it('replaces no file', async () => {
    writeFileSync(path, 'mine');
    await expect(backUp()).rejects.toMatchObject({ code: 'BACKUP_EXISTS' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('into a folder that is not there says so, and leaves nothing behind', async () => {
    path = join(folder, 'nowhere', 'backup.gz');
    await expect(backUp()).rejects.toMatchObject({
      code: 'BACKUP_UNWRITABLE',
      facts: { path, reason: 'ENOENT' },
    });
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it('holds one moment, while others write', async () => {
    const writing = (async () => {
      for (let n = 0; n < 20; n += 1) await planBatch(store, `b${n}`, 3);
    })();
    await backUp();
    await writing;
    const restored = await openStore(await restoredUrl());
    try {
      expect(await restored.audit.verify()).toMatchObject({ broken: null });
    } finally {
      await restored.close();
    }
  });
});

describe('a restore', () => {
  it.each([
    ['lacks its end', (lines: string[]) => lines.slice(0, -1)],
    ['lacks a row', (lines: string[]) => lines.filter((_, n) => n !== 5)],
    [
      'has a row twice',
      (lines: string[]) => lines.flatMap((line, n) => (n === 5 ? [line, line] : [line])),
    ],
    [
      'has another amount',
      (lines: string[]) => lines.map((line) => line.replace('"TRX"', '"BTC"')),
    ],
    ['is no backup', () => ['{}', '[]']],
    ['is no JSON', () => ['pay', 'me']],
    ['is empty', () => []],
  ])('refuses a backup that %s, and writes nothing', async (_, change) => {
    await backUp();
    writeLines(change(linesOf()));
    const url = await emptyUrl();
    await expect(restore(url)).rejects.toMatchObject({ code: 'BACKUP_BROKEN' });
    const untouched = await openStore(url);
    try {
      expect(await untouched.audit.verify()).toMatchObject({ entries: 0 });
      expect(await untouched.batches.find('b')).toBeUndefined();
    } finally {
      await untouched.close();
    }
  });

  it('refuses a file that is no gzip, or is cut', async () => {
    await backUp();
    const whole = readFileSync(path);
    for (const bytes of [Buffer.from('payments'), whole.subarray(0, whole.length / 2)]) {
      writeFileSync(path, bytes);
      await expect(restore(await emptyUrl())).rejects.toMatchObject({ code: 'BACKUP_BROKEN' });
    }
  });

  it('refuses a missing file', async () => {
    expect(existsSync(path)).toBe(false);
    await expect(restore(await emptyUrl())).rejects.toMatchObject({ code: 'BACKUP_BROKEN' });
  });

  it('refuses a store that has rows', async () => {
    await backUp();
    await expect(restore(await testStoreUrl(folder))).rejects.toMatchObject({
      code: 'STORE_HAS_ROWS',
    });
  });

  it('refuses a backup of another version', async () => {
    await backUp();
    const [head = '', ...rest] = linesOf();
    writeLines([head.replace('"001-first"', '"000-other","001-first"'), ...rest]);
    await expect(restore(await emptyUrl())).rejects.toMatchObject({
      code: 'BACKUP_OF_OTHER_VERSION',
    });
  });
});
