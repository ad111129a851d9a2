import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config.ts';
import { checkScheduleFolder } from '../../src/doctor/machine-checks.ts';
import { sha256Hex } from '../../src/domain/sending/identity.ts';
import { createFiles } from '../../src/files/index.ts';
import { NOMINAL, scheduleWorld } from '../activities/support/schedule-world.ts';
import { filesIn, machines } from '../cli/support/machines.ts';
import { describeWithS3, type S3Server, startS3, urlOf } from '../files/support/s3-server.ts';
import { BATCH, settleBatch } from '../report/verify/support/ended-batch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
    const { store, check, take } = await scheduleAt(urlOf('no-such-bucket', s3.endpoint));
    expect(check).toMatchObject({ result: 'fail' });
    await expect(take()).rejects.toMatchObject({ type: 'FILES_UNAVAILABLE', nonRetryable: false });
    await store.close();
  });
});
