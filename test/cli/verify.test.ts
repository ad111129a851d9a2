import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  BATCH,
  endBatch,
  openAt,
  type Place,
  placeIn,
} from '../report/verify/support/ended-batch.ts';
import { guardedBatch } from '../report/verify/support/guarded-batch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';
import { writableDb } from '../../src/store/database/writable.ts';

/** A world with a batch that has ended; nobody can reach Temporal or a service there. */
async function worldAtEnd() {
  const place = placeIn(temporaryFolder());
  await endBatch(place);
  return { place, world: worldAt(place) };
}

/** A world with a batch that was released without the approvals of its policy. */
async function unapprovedWorld() {
  const place = placeIn(temporaryFolder());
  const store = await openAt(place);
  const batch = guardedBatch(store, place);
  await batch.plan();
  await batch.signSubmit();
  await batch.release();
  await store.close();
  return worldAt(place);
}

function worldAt({ folder }: Place) {
  const world = fakeWorld({
    cwd: folder,
    env: {
      BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    },
  });
  world.engine.isDown = true;
  return world;
}

describe('bursar verify', () => {
  it('names the checked records, and the mark to be kept elsewhere', async () => {
    const { place, world } = await worldAtEnd();
    const { code, out } = await world.run('verify', BATCH);
    expect(code).toBe(0);
    expect(out).toContain(`Batch ${BATCH}: PROVEN, everything is as it was stored.`);
    expect(out).toMatch(/^ +7 {2}rows counted again$/m);
    expect(out).toMatch(/^Compared with the log: entry \d+, of report\.json\.$/m);
    const [, end = ''] = /^The end of the log, to be kept elsewhere: (.+)$/m.exec(out) ?? [];
    const again = await world.json('verify', BATCH, '--head', end, '--report', place.reportDir);
    expect([again.code, again.value['schema']]).toEqual([0, 'bursar.verification/v1']);
    expect(again.value['quoted']).toHaveLength(2);
  });

  it('names the changed record, the proof of the change and the next step, with its own exit code', async () => {
    const { place, world } = await worldAtEnd();
    const store = await openAt(place);
    await writableDb(store).updateTable('hold').set({ held_by: 'eve' }).execute();
    await store.close();
    rmSync(join(place.reportDir, 'failed.csv'));
    const { code, out } = await world.run('verify', BATCH);
    expect(code).toBe(15);
    expect(out).toContain('TAMPERED, something is not as it was stored.');
    expect(out).toMatch(
      /RECORD_CHANGED: .* entry \d+ of the audit log differ in .*hold 1: held_by\./,
    );
    expect(out).toContain('REPORT_FILE_GONE: payroll/failed.csv is missing.');
    expect(out.match(/ {2}Why: /g)).toHaveLength(2);
    expect(out.match(/ {2}Fix: /g)).toHaveLength(2);
  });

  it('prints NOT APPROVED, with the exit code of a changed log, though the log is whole', async () => {
    const world = await unapprovedWorld();
    const { code, out } = await world.run('verify', BATCH);
    expect(code).toBe(15);
    expect(out).toContain(
      `Batch ${BATCH}: NOT APPROVED, it continued without a required approval.`,
    );
    expect(out).toContain(
      `BATCH_NOT_APPROVED: Batch ${BATCH} lacks an approval: the plan is not approved: 2 more from finance`,
    );
    const { value } = await world.json('verify', BATCH);
    expect([value['result'], value['problemCount']]).toEqual(['NOT_APPROVED', 1]);
  });

  it.each([
    ['an unknown batch', ['payrol'], 5, 'BATCH_NOT_FOUND'],
    ['a head that is none', [BATCH, '--head', '12'], 2, 'FLAG_INVALID'],
  ])('refuses %s', async (_, args, code, error) => {
    const { world } = await worldAtEnd();
    const refused = await world.json('verify', ...args);
    expect([refused.code, refused.value['code']]).toEqual([code, error]);
  });
});
