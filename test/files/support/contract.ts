import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Files } from '../../../src/files/index.ts';
import { textOf } from '../../support/text-of.ts';

export const hashOf = (bytes: string | Buffer): string =>
  createHash('sha256').update(bytes).digest('hex');

export async function* blocksOf(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

export const MEBIBYTE = 1024 ** 2;
const BLOCK = Buffer.alloc(MEBIBYTE, 'payout ');

export async function* mebibytes(count: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n += 1) yield BLOCK;
}

export function hashOfMebibytes(count: number): string {
  const hash = createHash('sha256');
  for (let n = 0; n < count; n += 1) hash.update(BLOCK);
  return hash.digest('hex');
}

const fileOf = (name: string, text: string) => ({
  name,
  sha256: hashOf(text),
  read: () => blocksOf(text),
});

async function marksOf(files: Files): Promise<string[]> {
  const marks: string[] = [];
  for await (const { sha256 } of files.uploads.list()) marks.push(sha256);
  return marks.sort();
}

/** Files under test. `putRaw` writes an object as another program would. */
export type FilesUnderTest = Readonly<{
  files: Files;
  putRaw(path: string, text: string): Promise<void>;
}>;

/** The contract of {@link Files}, which every engine keeps. */
export function filesKeepTheirContract(open: () => Promise<FilesUnderTest>): void {
  it('mark an upload until it is submitted, and never a copy that was submitted before', async () => {
    const { files } = await open();
    const [a, b] = [hashOf('a'), hashOf('b')];
    expect(await marksOf(files)).toEqual([]);
    await files.putUpload(a, blocksOf('a'));
    await files.putUpload(b, blocksOf('b'));
    await files.putUpload(b, blocksOf('b'));
    expect(await marksOf(files)).toEqual([a, b].sort());
    await files.put(a, blocksOf('a'));
    expect(await marksOf(files)).toEqual([b]);
    await files.putUpload(a, blocksOf('a'));
    await files.uploads.renew(a);
    expect(await marksOf(files)).toEqual([b]);
    await files.uploads.unmark(b);
    expect([await marksOf(files), await files.has(a), await files.has(b)]).toEqual([
      [],
      true,
      true,
    ]);
    await expect(files.putUpload('../x', blocksOf('x'))).rejects.toMatchObject({
      code: 'FILES_PATH_REFUSED',
    });
  });

  it('are kept by their hash, and read as they were', async () => {
    const { files } = await open();
    const sha256 = hashOf('abc');
    expect(await files.has(sha256)).toBe(false);
    expect(await files.put(sha256, blocksOf('ab', 'c'))).toBe('kept');
    expect(await files.put(sha256, blocksOf('abc'))).toBe('kept');
    expect(await files.has(sha256)).toBe(true);
    const copy = await files.open(sha256);
    expect([copy.sizeBytes, await textOf(copy)]).toEqual([3, 'abc']);
    expect([copy.sha256(), copy.bytesRead()]).toEqual([sha256, 3]);
  });

  it('are gone once they were removed, and their size is returned', async () => {
    const { files } = await open();
    const sha256 = hashOf('abc');
    await files.put(sha256, blocksOf('abc'));
    expect([await files.remove(sha256), await files.has(sha256)]).toEqual([3, false]);
    expect(await files.remove(sha256)).toBeUndefined();
    expect(await files.remove('../x')).toBeUndefined();
  });

  it('are whole when four programs put one at once', async () => {
    const { files } = await open();
    const sha256 = hashOfMebibytes(9);
    const puts = Array.from({ length: 4 }, () => files.put(sha256, mebibytes(9)));
    expect(await Promise.all(puts)).toEqual(['kept', 'kept', 'kept', 'kept']);
    const copy = await files.open(sha256);
    expect((await textOf(copy)).length).toBe(9 * MEBIBYTE);
    expect(copy.sha256()).toBe(sha256);
  });

  it.each([3, 9 * MEBIBYTE])(
    'are not there when the bytes have another hash, %d bytes',
    async (length) => {
      const { files } = await open();
      const wanted = hashOf('wanted');
      expect(await files.put(wanted, blocksOf('x'.repeat(length)))).toBe('differs');
      expect(await files.has(wanted)).toBe(false);
      await expect(files.open(wanted)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
    },
  );

  it('are not there when their source ends early, and the error of the source is thrown', async () => {
    const { files } = await open();
    const sha256 = hashOfMebibytes(20);
    async function* cut(): AsyncGenerator<Buffer> {
      yield* mebibytes(19);
      throw new Error('the source was cut');
    }
    await expect(files.put(sha256, cut())).rejects.toThrow('the source was cut');
    expect(await files.has(sha256)).toBe(false);
  });

  it('are refused at the last byte when they were changed', async () => {
    const { files, putRaw } = await open();
    const sha256 = hashOf('abc');
    await putRaw(sha256, 'abd');
    const copy = await files.open(sha256);
    await expect(textOf(copy)).rejects.toMatchObject({
      code: 'BLOB_DAMAGED',
      facts: { sha256, found: hashOf('abd') },
    });
    expect(() => copy.sha256()).toThrow(expect.objectContaining({ code: 'BLOB_DAMAGED' }));
    await files.put(sha256, blocksOf('abc'));
    expect(await textOf(await files.open(sha256))).toBe('abc');
  });

  it('have no proven hash before the last byte was read', async () => {
    const { files } = await open();
    await files.put(hashOf('abc'), blocksOf('abc'));
    const copy = await files.open(hashOf('abc'));
    expect(() => copy.sha256()).toThrow(expect.objectContaining({ code: 'BLOB_DAMAGED' }));
    await copy.close();
  });

  it('of 100 MiB pass with little memory', async () => {
    const { files } = await open();
    const sha256 = hashOfMebibytes(100);
    const before = process.memoryUsage().rss;
    let most = before;
    async function* watched(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const block of blocks) {
        most = Math.max(most, process.memoryUsage().rss);
        yield block;
      }
    }
    await files.put(sha256, watched(mebibytes(100)));
    const copy = await files.open(sha256);
    for await (const block of watched(copy.blocks)) expect(block.length).toBeGreaterThan(0);
    expect(copy.sha256()).toBe(sha256);
    expect((most - before) / MEBIBYTE).toBeLessThan(90);
  });

  it('are published once: the same files again are fine, and others are refused', async () => {
    const { files } = await open();
    const set = [fileOf('report.json', '{}'), fileOf('report.csv', 'row')];
    await files.publish('runs/payroll/v1', set);
    await files.publish('runs/payroll/v1', set.toReversed());
    const refused = { code: 'PUBLISHED_ALREADY', facts: { prefix: 'runs/payroll/v1' } };
    const others = [[fileOf('report.json', '[]')], [...set, fileOf('more.csv', 'x')], []];
    for (const other of others) {
      await expect(files.publish('runs/payroll/v1', other)).rejects.toMatchObject(refused);
    }
    expect(await textOf(await files.openPublished('runs/payroll/v1', 'report.json'))).toBe('{}');
    await expect(files.openPublished('runs/payroll/v1', 'more.csv')).rejects.toMatchObject({
      code: 'PUBLISHED_MISSING',
    });
  });

  it('are published by one of four programs with different files', async () => {
    const { files } = await open();
    const published = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((text) => files.publish('v1', [fileOf('report.json', text)])),
    );
    const winners = published.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    expect(winners).toHaveLength(1);
    const text = await textOf(await files.openPublished('v1', 'report.json'));
    expect(text).toBe('abcd'[winners[0] ?? -1]);
  });

  it('that a lost publisher left out are added by the next one', async () => {
    const { files } = await open();
    async function* lost(): AsyncGenerator<Buffer> {
      yield Buffer.from('b');
      throw new Error('lost');
    }
    const [first, second] = [fileOf('a.csv', 'a'), fileOf('b.csv', 'b')];
    const cut = files.publish('v1', [first, { ...second, read: lost }]);
    await expect(cut).rejects.toThrow('lost');
    await expect(files.openPublished('v1', 'b.csv')).rejects.toMatchObject({
      code: 'PUBLISHED_MISSING',
    });
    await files.publish('v1', [first, second]);
    expect(await textOf(await files.openPublished('v1', 'b.csv'))).toBe('b');
  });

  it('are removed from a prefix by name, and no others can take it then', async () => {
    const { files } = await open();
    const set = [fileOf('report.json', '{}'), fileOf('report.csv', 'row')];
    await files.publish('v1', set);
    await files.removePublished('v1', ['report.csv', 'failed.csv']);
    await expect(files.openPublished('v1', 'report.csv')).rejects.toMatchObject({
      code: 'PUBLISHED_MISSING',
    });
    expect(await textOf(await files.openPublished('v1', 'report.json'))).toBe('{}');
    await expect(files.publish('v1', [fileOf('more.csv', 'x')])).rejects.toMatchObject({
      code: 'PUBLISHED_ALREADY',
    });
    await expect(files.removePublished('v1', ['../x'])).rejects.toMatchObject({
      code: 'FILES_PATH_REFUSED',
    });
  });

  it('of an inbox are listed and read, with names as people give them', async () => {
    const { files, putRaw } = await open();
    for (const name of ['Löhne Mai.csv', 'b.csv', 'deeper/c.csv', '.draft']) {
      await putRaw(`inbox/${name}`, name);
    }
    const found: string[] = [];
    for await (const { path, sizeBytes, changedAtMs } of files.list('inbox')) {
      expect([sizeBytes > 0, changedAtMs > 0]).toEqual([true, true]);
      found.push(path);
    }
    expect(found.toSorted()).toEqual(['inbox/Löhne Mai.csv', 'inbox/b.csv']);
    const object = await files.read('inbox/Löhne Mai.csv');
    expect(object && (await textOf(object))).toBe('Löhne Mai.csv');
    expect(await files.read('inbox/none.csv')).toBeUndefined();
    for await (const entry of files.list('empty')) throw new Error(`found ${entry.path}`);
  });

  it.each(['..', '../x', 'a/../b', '/x', 'a//b', 'a/', '', '.x', 'a\\b', 'a\0b', 'a\u202Eb'])(
    'have no path that leads elsewhere: %j',
    async (path) => {
      const { files } = await open();
      const refused = { code: 'FILES_PATH_REFUSED', facts: { path } };
      await expect(files.read(path)).rejects.toMatchObject(refused);
      await expect(files.publish(path, [])).rejects.toMatchObject(refused);
      await expect(files.publish('v1', [fileOf(path, 'x')])).rejects.toMatchObject(refused);
    },
  );

  it.each(['a b.csv', 'ä.csv', 'manifest.json', 'a/b.csv'])(
    'are not published under a name that Bursar does not give: %j',
    async (name) => {
      const { files } = await open();
      await expect(files.publish('v1', [fileOf(name, 'x')])).rejects.toMatchObject({
        code: 'FILES_PATH_REFUSED',
      });
      for await (const entry of files.list('v1')) throw new Error(`found ${entry.path}`);
    },
  );
}
