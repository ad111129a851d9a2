import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { writableDb } from '../../src/store/database/writable.ts';
import {
  BATCH,
  endBatch,
  openAt,
  type Place,
  placeIn,
  settleBatch,
  verifyAt,
} from '../report/verify/support/ended-batch.ts';
import { contentOf, newBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const DAY_MS = 86_400_000;

/** A world some days after a batch has ended. Temporal cannot be reached there. */
async function worldAfter(days: number, pay: (place: Place) => Promise<void> = settleBatch) {
  const place = placeIn(temporaryFolder());
  await pay(place);
  const { folder } = place;
  const world = fakeWorld({
    cwd: folder,
    env: {
      BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    },
  });
  world.engine.isDown = true;
  await world.world.clock.pause(days * DAY_MS, new AbortController().signal);
  return { place, world };
}

const copiesOf = ({ folder }: Place): string[] => readdirSync(join(folder, 'blobs'));

/** Texts of rows that a store holds, of every table with rows. */
async function textsOf(place: Place): Promise<string[]> {
  const store = await openAt(place);
  const db = writableDb(store);
  const staged = await db.selectFrom('staged_chunk').select('rows as text').execute();
  const sent = await db.selectFrom('intent').select('payload as text').execute();
  const refused = await db.selectFrom('refused_row').select('value as text').execute();
  await store.close();
  return [...staged, ...sent, ...refused].map(({ text }) => text).filter((text) => text !== '');
}

async function entriesOf(place: Place, action: string) {
  const store = await openAt(place);
  const entries = await store.audit.list({ batchId: BATCH, limit: 1_000 });
  await store.close();
  return entries.filter((entry) => entry.action === action);
}

describe('bursar prune', () => {
  it('lists what it would remove, and removes nothing without --yes', async () => {
    const { place, world } = await worldAfter(500);
    const { code, out, err } = await world.run('prune');
    expect(code).toBe(0);
    expect(out).toMatch(/^payroll {2}ended 2026-11-21 {2}6 rows, .* {2}would be removed$/m);
    expect(err).toContain('1 batch with');
    expect(err).toContain('Nothing was removed.');
    expect(await textsOf(place)).not.toEqual([]);
    expect(copiesOf(place)).toHaveLength(1);
    expect((await verifyAt(place)).result).toBe('PROVEN');
    const { value } = await world.json('prune', '--yes', '--dry-run');
    expect(value).toMatchObject({ schema: 'bursar.prune/v1', olderThanDays: 400, dryRun: true });
    expect(await entriesOf(place, 'prune')).toEqual([]);
  });

  it('removes copy, rows, payloads and report lines, and keeps their digests', async () => {
    const { place, world } = await worldAfter(500);
    const aside = join(place.reportDir, 'versions', '2-not-in-log-6c1c2f3e');
    cpSync(join(place.reportDir, 'versions', '1'), aside, { recursive: true });
    const { code, value } = await world.json('prune', '--yes');
    expect(code).toBe(0);
    const counts = { rows: 6, refusedRows: 1, payloads: 3, kept: null, pruned: true };
    expect(value['batches']).toMatchObject([{ batchId: BATCH, ...counts }]);
    expect(await textsOf(place)).toEqual([]);
    expect(copiesOf(place)).toEqual([]);
    expect(readdirSync(place.reportDir).toSorted()).toEqual(['report.json', 'versions']);
    expect(readdirSync(join(place.reportDir, 'versions', '1'))).toEqual(['report.json']);
    expect(readdirSync(aside)).toEqual(['report.json']);
    const [entry] = await entriesOf(place, 'prune');
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(entry).toMatchObject({
      actor: 'alice',
      detail: { chunks: 3, payloads: 3, rows_sha256: digest, payloads_sha256: digest },
    });
  });

  it('leaves a batch that verify proves by its digests', async () => {
    const { place, world } = await worldAfter(500);
    await world.run('prune', '--yes');
    const { code, out } = await world.run('verify', BATCH);
    expect(code).toBe(0);
    expect(out).toContain(
      `Batch ${BATCH}: PRUNED, its rows were removed, and their digests are stored`,
    );
    expect(out).toMatch(/^ +6 {2}rows known by their digest$/m);
    const found = await verifyAt(place);
    expect([found.result, found.problemCount]).toEqual(['PRUNED', 0]);
  });

  it('leaves a batch whose later changes verify still finds', async () => {
    const { place, world } = await worldAfter(500);
    await world.run('prune', '--yes');
    const store = await openAt(place);
    await writableDb(store).updateTable('attempt').set({ http_status: 201 }).execute();
    await writableDb(store).updateTable('staged_chunk').set({ total: '9' }).execute();
    await store.close();
    const found = await verifyAt(place);
    expect(found.result).toBe('TAMPERED');
    const codes = new Set(found.problems.map(({ code }) => code));
    expect([...codes]).toEqual(expect.arrayContaining(['RECORD_CHANGED', 'ROWS_CHANGED']));
  });

  it('leaves a batch whose file is still refused', async () => {
    const { place, world } = await worldAfter(500);
    await world.run('prune', '--yes');
    const store = await openAt(place);
    const batchId = 'again';
    await store.batches.register(newBatch(batchId));
    const again = { ...contentOf(BATCH), batchId, parentBatchId: null };
    expect((await store.batches.sameContent(again))?.batchId).toBe(BATCH);
    const start = { batchId, parentBatchId: null, account: again.account };
    expect((await store.history.others(start)).map(({ rows }) => rows)).toEqual([6]);
    await store.close();
  });

  it('leaves a batch whose status and totals can be shown, and whose rows cannot', async () => {
    const { world } = await worldAfter(500);
    const before = await world.json('status', BATCH);
    await world.run('prune', '--yes');
    const after = await world.json('status', BATCH);
    expect(after.value).toMatchObject({
      rows: before.value['rows'],
      amounts: before.value['amounts'],
    });
    for (const command of ['rows', 'report']) {
      const { code, err } = await world.run(command, BATCH);
      expect([command, code]).toEqual([command, 2]);
      expect(err).toContain('BATCH_PRUNED');
    }
  });

  it('keeps the rows of a batch with an unknown row, and says why', async () => {
    const { place, world } = await worldAfter(500, endBatch);
    const { code, out, err } = await world.run('prune', '--yes');
    expect(code).toBe(0);
    expect(out).toContain('stays: it has rows without a certain outcome');
    expect(err).toContain('No batch has rows to remove.');
    expect((await verifyAt(place)).result).toBe('PROVEN');
  });

  it('keeps the rows of a batch with a resend that has not ended', async () => {
    const { place, world } = await worldAfter(500);
    const store = await openAt(place);
    const { fileSha256 } = (await store.batches.find(BATCH))!;
    const resend = { parentBatchId: BATCH, generation: 1, fileSha256 };
    await store.lineage.registerResend({ ...newBatch('payroll-r1'), ...resend });
    await store.close();
    const { out } = await world.run('prune', '--yes');
    expect(out).toContain('stays: payroll-r1 belongs to it, and it has not ended');
    expect(out).toContain('stays: it has not ended');
    expect(await textsOf(place)).not.toEqual([]);
  });

  it('keeps the rows of a batch that was changed, as evidence, with its own exit code', async () => {
    const { place, world } = await worldAfter(500);
    const store = await openAt(place);
    await writableDb(store).updateTable('hold').set({ held_by: 'eve' }).execute();
    await store.close();
    const { code, out } = await world.run('prune', '--yes');
    expect(code).toBe(15);
    expect(out).toContain('stays: "bursar verify" does not prove it');
    expect(await textsOf(place)).not.toEqual([]);
  });

  it('does not list younger batches, and refuses an age below 30 days', async () => {
    const { world } = await worldAfter(300);
    expect((await world.json('prune')).value['batches']).toEqual([]);
    expect((await world.json('prune', '--older-than', '299d')).value['batches']).toHaveLength(1);
    const { code, err } = await world.run('prune', '--older-than', '29d');
    expect(code).toBe(2);
    expect(err).toContain('"29d" is less than 30d');
  });

  it('keeps the copy that another batch needs, and removes it with the last one', async () => {
    const { place, world } = await worldAfter(500);
    const store = await openAt(place);
    const { fileSha256 } = (await store.batches.find(BATCH))!;
    await store.batches.register(newBatch('again', { fileSha256 }));
    await store.close();
    await world.run('prune', '--yes');
    expect(copiesOf(place)).toEqual([fileSha256]);
    expect((await verifyAt(place)).result).toBe('PRUNED');
  });

  it('ends a prune that was cut off, without a second decision', async () => {
    const { place, world } = await worldAfter(500);
    const store = await openAt(place);
    const nowMs = world.world.clock.nowMs();
    const times = { nowMs, olderThanMs: 400 * DAY_MS, followMs: 30 * DAY_MS };
    expect(await store.retention.begin({ root: BATCH, by: 'zoe', times })).toBeNull();
    await store.close();
    rmSync(join(place.reportDir, 'report.csv'));
    expect((await verifyAt(place)).result).toBe('PRUNED');
    const { value } = await world.json('prune', '--yes');
    expect(value['batches']).toMatchObject([{ batchId: BATCH, pruned: true }]);
    expect(await textsOf(place)).toEqual([]);
    expect(existsSync(join(place.reportDir, 'failed.csv'))).toBe(false);
    expect((await entriesOf(place, 'prune')).map(({ actor }) => actor)).toEqual(['zoe']);
    expect(await entriesOf(place, 'prune-files')).toHaveLength(1);
    expect((await world.json('prune', '--yes')).value['batches']).toEqual([]);
  });
});
