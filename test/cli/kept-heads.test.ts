import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createAuditHeadTask } from '../../src/activities/housekeeping/audit-head.ts';
import { writableDb } from '../../src/store/database/writable.ts';
import { newBatch } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld } from './support/fake-world.ts';
import { inStore } from './support/in-store.ts';

/** A world with a batch, whose worker has kept the head of the log. */
async function worldWithHead(headUrl?: string) {
  const cwd = temporaryFolder();
  const url = headUrl ?? `file:${join(cwd, 'kept')}`;
  const world = fakeWorld({
    cwd,
    env: { BURSAR_AUDIT_HEAD_URL: url, BURSAR_AUDIT_HEAD_SECRET_FILE: join(cwd, 'secret') },
  });
  await inStore(world, async (store) => {
    await store.batches.register(newBatch('june'));
    if (headUrl !== undefined) return;
    const readKeys = () => [];
    await createAuditHeadTask({ store, url, readKeys, nowMs: Date.now }).run();
  });
  return { cwd, world };
}

/** Removes the whole log, and writes another one. */
const rewriteLog = (world: FakeWorld): Promise<void> =>
  inStore(world, async (store) => {
    await writableDb(store).deleteFrom('audit').execute();
    for (const batchId of ['july', 'august']) await store.batches.register(newBatch(batchId));
  });

describe('bursar audit, with a second place for the end of the log', () => {
  it('compares the log with the heads that are kept', async () => {
    const { cwd, world } = await worldWithHead();
    const { code, err } = await world.run('audit');
    expect(code).toBe(0);
    expect(err).toContain(`The log has the 1 head that file:${join(cwd, 'kept')} keeps.`);
    const { value } = await world.json('audit');
    expect(value['kept']).toMatchObject({ isReadable: true, compared: 1, problems: [] });
  });

  it('finds a log that was written again, with the exit code of a changed record', async () => {
    const { world } = await worldWithHead();
    await rewriteLog(world);
    const { code, err } = await world.run('audit');
    expect(code).toBe(15);
    expect(err).toContain('AUDIT_OTHER: Entry 2 of the audit log is not the one that');
    expect((await world.json('audit')).value['whole']).toBe(true);
  });

  it('finds a log that was cut off', async () => {
    const { world } = await worldWithHead();
    await inStore(world, async (store) => {
      await writableDb(store).deleteFrom('audit').execute();
    });
    const { code, err } = await world.run('audit');
    expect(code).toBe(15);
    expect(err).toContain('AUDIT_CUT');
  });

  it('ignores other files, and heads of other stores', async () => {
    const { cwd, world } = await worldWithHead();
    const folder = join(cwd, 'kept');
    const [name = ''] = readdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'not a head');
    await inStore(world, async (store) => {
      await writableDb(store).updateTable('store_identity').set({ id: 'other' }).execute();
    });
    expect((await world.json('audit')).value['kept']).toMatchObject({ compared: 0, problems: [] });
    writeFileSync(join(folder, name), 'changed');
    expect((await world.run('audit')).err).toContain('BLOB_DAMAGED');
  });

  it('leaves the comparison to a receiver of webhooks', async () => {
    const { world } = await worldWithHead('https://receiver.example/heads');
    const { code, err } = await world.run('audit');
    expect(code).toBe(0);
    expect(err).toContain('Heads of the log are sent to https://receiver.example');
  });
});
