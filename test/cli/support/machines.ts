import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../../src/files/index.ts';
import { BATCH, endBatch, type Place, placeIn } from '../../report/verify/support/ended-batch.ts';
import { bucketIn } from '../../support/bucket.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fakeWorld } from './fake-world.ts';

/** Machine A wrote the report of a batch. Others share its store and its bucket, and have folders of reports of their own. */
export async function machines(pay: (place: Place) => Promise<void> = endBatch, shared?: Files) {
  const folder = temporaryFolder();
  const blobs = shared ?? bucketIn(folder);
  const place = { ...placeIn(folder), blobs };
  await pay(place);
  const machine = (reports: string) => {
    const world = fakeWorld({
      cwd: folder,
      env: {
        BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
        BURSAR_BLOB_URL: blobs.url,
        BURSAR_REPORT_DIR: join(folder, reports),
      },
      open: { blobs: () => Promise.resolve(blobs) },
    });
    world.engine.isDown = true;
    return { ...world, dir: join(folder, reports, BATCH), folder };
  };
  return { folder, place, a: machine('runs'), b: machine('b'), c: machine('c') };
}

/** The files of a report, by name. */
export const filesIn = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir)
      .filter((name) => name !== 'versions' && name !== 'manifest.json')
      .map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  );
