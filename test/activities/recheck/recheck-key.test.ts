import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { recheckKey } from '../../../src/activities/recheck/recheck-key.ts';
import { readFinishedChunk } from '../../../src/activities/recheck/recheck-chunk.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { type LineageWorld, lineageWorld, ROOT, rowsOf } from '../support/lineage-world.ts';

let world: LineageWorld;
beforeEach(async () => {
  world = await lineageWorld();
  await world.root(rowsOf(3));
});
afterEach(() => world.store.close());

const refOf = async () => {
  const { idempotencyKey } = await world.store.chunks.get(ROOT, 0);
  return { batchId: ROOT, chunk: 0, idempotencyKey };
};

/** Sends the chunk without an answer, and closes it as NOT_SENT after two lookups that missed it. */
async function closeAfterMisses(): Promise<void> {
  const { sends } = world.store;
  const ref = await refOf();
  const intent = { payload: '{}', payloadSha256: 'p' };
  await sends.beginAttempt(ref, { n: 1, timestampMs: 1, bodySha256: 'b', intent });
  await sends.endAttempt(ref, { n: 1, endedMs: 2, outcome: 'AMBIGUOUS' });
  for (const atMs of [3, 4]) {
    await sends.recordLookup(ref, { atMs, attempts: 1, result: 'missed' });
  }
  await sends.setNotSent(ref, { attempts: 1, from: 'SENDING', reason: 'stopped' });
}

/** Rechecks the chunk, whose key the service shows now. */
async function recheckFound() {
  const { idempotencyKey } = await refOf();
  const { total } = await world.store.chunks.get(ROOT, 0);
  world.service.create('late', { idempotencyKey, total });
  return recheckKey(world.deps, await readFinishedChunk(world.deps, ROOT, 0));
}

const disproof = async () =>
  (await world.store.lookupVerification.trust(ACCOUNT, world.deps.service.baseUrl)).disproof;

it('a key that is found after misses disproves lookups, and the notification names the rows', async () => {
  await closeAfterMisses();
  await world.end(ROOT);
  const found = await recheckFound();
  const changes = [2, 3, 4].map((row) => ({ row, before: 'NOT_SENT', after: 'IN_FLIGHT' }));
  expect(found).toMatchObject({ kind: 'read', changes });
  expect(await disproof()).toMatchObject({ batchId: ROOT, chunk: 0, reason: 'FOUND_AFTER_MISS' });
  expect(world.news).toMatchObject([
    {
      event: 'batch.needs_operator',
      batchId: ROOT,
      key: 'lookups disproven by payroll/0: FOUND_AFTER_MISS',
      data: { count: 3, rows: ['2-4'] },
    },
  ]);
});

it('a key that was never sent, and is found, disproves nothing: no lookup has missed it', async () => {
  await world.store.sends.setNotSent(await refOf(), { attempts: 0, from: 'PLANNED', reason: 'x' });
  await world.end(ROOT);
  expect(await recheckFound()).toMatchObject({ kind: 'read' });
  expect([await disproof(), world.news]).toEqual([undefined, []]);
});
