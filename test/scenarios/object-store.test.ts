import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config.ts';
import { checkScheduleFolder } from '../../src/doctor/machine-checks.ts';
import { sha256Hex } from '../../src/domain/sending/identity.ts';
import { createFiles } from '../../src/files/index.ts';
import { NOMINAL, scheduleWorld } from '../activities/support/schedule-world.ts';
import { filesIn, machines } from '../cli/support/machines.ts';
import { bucketUrl, S3_KEYS } from '../../bench/support/s3-server.ts';
import { describeWithS3, type S3Server, startS3 } from '../files/support/s3-server.ts';
import { BATCH, settleBatch } from '../report/verify/support/ended-batch.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack } from '../support/test-stack.ts';

const DAY_MS = 86_400_000;
const NAME = 'pay-2026-05-04.csv';
const TEXT = 'address,amount\nx,1\n';

let s3: S3Server;

describeWithS3('machines that share an object store', () => {
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.stop());

  it('verify, archive, copy and prune a report that another one wrote', async () => {
    const blobs = createFiles(await s3.newUrl());
    const { a, b, c } = await machines(settleBatch, blobs);
    expect((await b.run('verify', BATCH)).out).toContain('PROVEN');
    expect((await b.run('archive', BATCH, '--out', 'kept')).code).toBe(0);
    expect((await b.run('report', BATCH, '--out', 'copy')).code).toBe(0);
    expect(filesIn(join(b.folder, 'copy'))).toEqual(filesIn(a.dir));
    await b.world.clock.pause(500 * DAY_MS, new AbortController().signal);
    expect((await b.run('prune', '--yes')).code).toBe(0);
    const { out } = await c.run('verify', BATCH);
    expect(out).toContain(`Batch ${BATCH}: PRUNED`);
    expect(Object.keys(filesIn(c.dir))).toEqual(['report.json']);
  });

  it('pay a file from it, and read its report there, as programs of their own', async () => {
    const url = await s3.newUrl();
    const folder = temporaryFolder();
    const stack = await startTestStack({ folder, env: { ...S3_KEYS, BURSAR_BLOB_URL: url } });
    const { batchId } = stack;
    try {
      const file = join(folder, 'payroll.csv');
      writeSample(file, sampleRows({ rows: 40, failEvery: 10 }));
      const { code, value } = await stack.json('submit', file, '--id', batchId, '--yes');
      expect(code).toBe(10);
      const place = `s3://${new URL(url).hostname}/copies/reports/${batchId}/v1-`;
      expect(value['reportUrl']).toEqual(expect.stringContaining(place));
      const elsewhere = { BURSAR_REPORT_DIR: join(folder, 'elsewhere') };
      const verified = await stack.bursarWith(elsewhere, 'verify', batchId);
      expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('PROVEN')]);
      const copied = await stack.bursarWith(elsewhere, 'report', batchId, '--out', 'copy');
      expect([copied.code, filesIn(join(folder, 'copy'))]).toEqual([
        0,
        filesIn(join(folder, 'runs', batchId)),
      ]);
    } finally {
      // The check of a stack reads copies from a folder.
      await stack.stop({ isTampered: true });
    }
  });

  /** A schedule with its files at an address, the run that is due, and the check of doctor. */
  async function scheduleAt(url: string) {
    const folder = temporaryFolder();
    const { store, as, deps } = await scheduleWorld(folder);
    Object.assign(deps, { bucket: createFiles(url), folder: url });
    await as('w1', ({ claimRuns }) =>
      claimRuns({ scheduleId: 'rent', startAt: '2026-05-04T09:00:00Z', demand: null }),
    );
    const settings = loadSettings({ env: { BURSAR_SCHEDULE_FOLDER: url }, cwd: () => folder });
    const [check] = await checkScheduleFolder(settings, store);
    const run = { scheduleId: 'rent', nominal: NOMINAL, demand: null };
    return { store, check, take: () => as('w1', ({ takeFile }) => takeFile(run)) };
  }

  it('take the file of a run from it, which doctor can list and read', async () => {
    const url = await s3.newUrl();
    const object = { Bucket: new URL(url).hostname, Key: `copies/${NAME}`, Body: TEXT };
    await s3.client.send(new PutObjectCommand(object));
    const { store, check, take } = await scheduleAt(url);
    expect(check).toMatchObject({ result: 'ok', says: `${url} can be listed and read` });
    const file = { name: NAME, sha256: sha256Hex(TEXT) };
    expect(await take()).toMatchObject({ kind: 'taken', batch: { file } });
    await store.close();
  });

  it('try a run again whose bucket is not there, which doctor finds', async () => {
    const { store, check, take } = await scheduleAt(bucketUrl('no-such-bucket', s3.endpoint));
    expect(check).toMatchObject({ result: 'fail' });
    await expect(take()).rejects.toMatchObject({ type: 'FILES_UNAVAILABLE', nonRetryable: false });
    await store.close();
  });
});
