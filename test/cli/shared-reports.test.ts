import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sha256Hex } from '../../src/domain/sending/identity.ts';
import { newestReport, reportPrefix } from '../../src/domain/report/written-report.ts';
import { createFiles } from '../../src/files/index.ts';
import { writtenReports } from '../../src/report/shared-report.ts';
import {
  BATCH,
  beginBatch,
  endBatch,
  openAt,
  type Place,
  reportLastChange,
  settleBatch,
} from '../report/verify/support/ended-batch.ts';
import { BUCKET_URL, bucketFolder } from '../support/bucket.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filesIn, machines } from './support/machines.ts';

const DAY_MS = 86_400_000;

/** The folder that stands for the prefix of the newest report. */
async function publishedFolder(place: Place): Promise<string> {
  const store = await openAt(place);
  const newest = newestReport(await writtenReports(store, BATCH));
  await store.close();
  return join(bucketFolder(place.folder), newest === undefined ? '' : reportPrefix(BATCH, newest));
}

describe('a report that another machine wrote', () => {
  it('is verified', async () => {
    const { a, b } = await machines();
    const { code, out } = await b.run('verify', BATCH);
    expect(out).toContain(`Batch ${BATCH}: PROVEN, everything is as it was stored.`);
    expect(code).toBe(0);
    expect(filesIn(b.dir)).toEqual(filesIn(a.dir));
  });

  it('is archived', async () => {
    const { a, b } = await machines();
    const { code } = await b.run('archive', BATCH, '--out', 'kept');
    expect(code).toBe(0);
    expect(filesIn(join(a.folder, 'kept', BATCH))).toMatchObject(filesIn(a.dir));
  });

  it('is replaced on this machine by its next version, and the older one is kept', async () => {
    const { a, b, place } = await machines();
    await b.run('verify', BATCH);
    const second = filesIn(b.dir);
    await reportLastChange(place);
    const { code, out } = await b.run('verify', BATCH);
    expect([code, out]).toEqual([0, expect.stringContaining('PROVEN')]);
    expect(filesIn(b.dir)).toEqual(filesIn(a.dir));
    expect(filesIn(join(b.dir, 'versions', '2'))).toEqual(second);
  });

  it('is not replaced where a person changed a file of it, and verify finds that', async () => {
    const { b } = await machines();
    await b.run('verify', BATCH);
    writeFileSync(join(b.dir, 'report.csv'), 'mine');
    const { code, value } = await b.json('verify', BATCH);
    expect([code, value['result']]).toEqual([15, 'TAMPERED']);
    expect(readFileSync(join(b.dir, 'report.csv'), 'utf8')).toBe('mine');
  });

  it('has its address in the state of the batch', async () => {
    const { b, place } = await machines();
    const { value } = await b.json('status', BATCH);
    const prefix = (await publishedFolder(place)).slice(bucketFolder(place.folder).length);
    const reportUrl = `${BUCKET_URL}${prefix}`;
    expect(value).toMatchObject({ reportUrl, reportDir: b.dir });
    const { out } = await b.run('status', BATCH);
    expect(out).toContain(`Report: ${reportUrl}/summary.html`);
    expect(out).toContain(`bursar report ${BATCH} --out DIR`);
  });
});

describe('a report that is missing in the bucket, or damaged there', () => {
  it('is written again by the command that the error names', async () => {
    const { b, c, folder } = await machines();
    rmSync(join(bucketFolder(folder), 'reports'), { recursive: true });
    const archived = await b.run('archive', BATCH, '--out', 'kept');
    expect([archived.code, archived.err]).toEqual([5, expect.stringContaining('REPORT_MISSING')]);
    expect(archived.err).toContain(`bursar report ${BATCH}`);
    const verified = await b.run('verify', BATCH);
    expect(verified.code).toBe(15);
    expect(verified.err).toContain('REPORT_MISSING');
    expect(verified.out).toContain('REPORT_GONE');
    expect((await b.run('report', BATCH)).code).toBe(0);
    expect((await c.run('verify', BATCH)).out).toContain('PROVEN');
  });

  it.each([
    ['a file', false],
    ['a file and the manifest', true],
  ])('is copied nowhere after %s was changed', async (_, withManifest) => {
    const { b, place } = await machines();
    const published = await publishedFolder(place);
    writeFileSync(join(published, 'report.csv'), 'other');
    if (withManifest) {
      const manifest = join(published, 'manifest.json');
      const hashes = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, string>;
      writeFileSync(manifest, JSON.stringify({ ...hashes, 'report.csv': sha256Hex('other') }));
    }
    const { code, err } = await b.run('report', BATCH, '--out', 'copy');
    expect([code, err]).toEqual([15, expect.stringContaining('REPORT_DAMAGED')]);
    expect(readdirSync(join(b.folder, 'copy'))).toEqual([]);
    expect((await b.run('verify', BATCH)).code).toBe(15);
  });
});

describe('bursar report --out', () => {
  it('copies the newest report from the bucket, and writes none', async () => {
    const { a, b, place } = await machines();
    const { code, value } = await b.json('report', BATCH, '--out', 'copy');
    const dir = join(b.folder, 'copy');
    expect([code, value['schema']]).toEqual([0, 'bursar.report-copy/v1']);
    expect(value).toMatchObject({ batchId: BATCH, version: 2, dir });
    expect(filesIn(dir)).toEqual(filesIn(a.dir));
    expect(existsSync(b.dir)).toBe(false);
    const store = await openAt(place);
    expect(await writtenReports(store, BATCH)).toHaveLength(2);
    await store.close();
  });

  it('copies it from the folder of reports where there is no bucket', async () => {
    const folder = temporaryFolder();
    const files = createFiles(`file:${join(folder, 'blobs')}`);
    const { a, b } = await machines(endBatch, files);
    expect((await a.run('report', BATCH, '--out', 'copy')).code).toBe(0);
    expect(filesIn(join(a.folder, 'copy'))).toEqual(filesIn(a.dir));
    const { code, err } = await b.run('report', BATCH, '--out', 'other');
    expect([code, err]).toEqual([5, expect.stringContaining('REPORT_MISSING')]);
    writeFileSync(join(a.dir, 'report.csv'), 'mine');
    const damaged = await a.run('report', BATCH, '--out', 'third');
    expect([damaged.code, damaged.err]).toEqual([15, expect.stringContaining('REPORT_DAMAGED')]);
  });

  it('copies the rows as workbooks too where that is asked for', async () => {
    const { b } = await machines();
    const { value } = await b.json('report', BATCH, '--out', 'copy', '--xlsx');
    const names = readdirSync(join(b.folder, 'copy'));
    const sheets = names.filter((name) => name.endsWith('.csv'));
    expect(sheets).toContain('report.csv');
    const workbooks = names.filter((name) => name.endsWith('.xlsx')).sort();
    expect(workbooks).toEqual(sheets.map((name) => name.replace('.csv', '.xlsx')).sort());
    expect([...(value['workbooks'] as string[])].sort()).toEqual(workbooks);
    expect(names).toHaveLength(Object.keys(value['files'] as object).length + workbooks.length);
    expect((await b.json('report', BATCH, '--out', 'other')).value['workbooks']).toEqual([]);
    const { code, err } = await b.run('report', BATCH, '--xlsx');
    expect([code, err]).toEqual([2, expect.stringContaining('--xlsx: needs --out DIR')]);
  });

  it('replaces no file', async () => {
    const { b } = await machines();
    await b.run('report', BATCH, '--out', 'copy');
    const again = await b.run('report', BATCH, '--out', 'copy');
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('is not empty')]);
    writeFileSync(join(b.folder, 'file'), '');
    expect((await b.run('report', BATCH, '--out', 'file')).code).toBe(2);
  });

  it('refuses a batch that has not ended, and one that is unknown', async () => {
    const { b } = await machines(beginBatch);
    expect((await b.run('report', BATCH, '--out', 'copy')).err).toContain('BATCH_OPEN');
    expect((await b.run('report', 'other', '--out', 'copy')).code).toBe(5);
  });
});

describe('bursar prune, where reports are in a bucket', () => {
  it('removes the rows of every version there, and those of this machine', async () => {
    const { a, b, c, folder, place } = await machines();
    for (const { world } of [a, b]) {
      await world.clock.pause(500 * DAY_MS, new AbortController().signal);
    }
    // This machine has version 2 then, and another one writes version 3.
    await b.run('verify', BATCH);
    await reportLastChange(place);
    const { code, value } = await b.json('prune', '--yes');
    expect([code, value['batches']]).toMatchObject([0, [{ batchId: BATCH, pruned: true }]]);
    const prefixes = readdirSync(join(bucketFolder(folder), 'reports', BATCH));
    expect(prefixes).toHaveLength(3);
    for (const prefix of prefixes) {
      expect(readdirSync(join(bucketFolder(folder), 'reports', BATCH, prefix)).toSorted()).toEqual([
        'manifest.json',
        'report.json',
      ]);
    }
    expect(Object.keys(filesIn(b.dir))).toEqual(['report.json']);
    const { out } = await c.run('verify', BATCH);
    expect(out).toContain(`Batch ${BATCH}: PRUNED`);
    expect((await c.run('report', BATCH, '--out', 'copy')).err).toContain('BATCH_PRUNED');
    // The next prune on the machine that wrote the report removes the rows there.
    expect(Object.keys(filesIn(a.dir))).toContain('report.csv');
    await a.run('prune');
    expect(Object.keys(filesIn(a.dir))).toContain('report.csv');
    await a.run('prune', '--yes');
    expect(Object.keys(filesIn(a.dir))).toEqual(['report.json']);
    expect((await a.run('verify', BATCH)).out).toContain(`Batch ${BATCH}: PRUNED`);
  });

  it('keeps the rows of a batch whose report was changed there', async () => {
    const { b, place } = await machines(settleBatch);
    await b.world.clock.pause(500 * DAY_MS, new AbortController().signal);
    writeFileSync(join(await publishedFolder(place), 'report.csv'), 'other');
    const { code, value } = await b.json('prune', '--yes');
    const kept = { obstacle: 'NOT_PROVEN', batchId: BATCH };
    expect([code, value['batches']]).toMatchObject([15, [{ pruned: false, kept }]]);
    expect(existsSync(join(await publishedFolder(place), 'resend.csv'))).toBe(true);
  });

  it('counts their bytes there', async () => {
    const { a, c } = await machines(settleBatch);
    const sizes = async (machine: typeof a) => {
      await machine.world.clock.pause(500 * DAY_MS, new AbortController().signal);
      const { value } = await machine.json('prune');
      const [batch] = value['batches'] as Readonly<{ sizes: { reports: number } }>[];
      return batch?.sizes.reports ?? 0;
    };
    const published = await sizes(c);
    expect(published).toBeGreaterThan(0);
    // The folder of this machine has the newest report and two older ones, as the bucket has.
    expect(await sizes(a)).toBe(2 * published);
  });
});
