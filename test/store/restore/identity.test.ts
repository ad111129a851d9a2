import { expect, it } from '@jest/globals';
import { idsOf, isStore, readStoreRef } from '../../../src/domain/store/identity.ts';
import { onServer, openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asBefore } from '../support/older-store.ts';

const itOnFiles = onServer ? it.skip : it;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

it('each store has an id of its own, and keeps it', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const ids: string[] = [];
  for (const place of [folder, other, folder]) {
    const store = await openTestStore(place);
    const { id, succeeds } = await store.identity.read();
    expect(succeeds).toEqual([]);
    expect(id).toMatch(UUID);
    ids.push(id);
    await store.close();
  }
  expect(ids[0]).toBe(ids[2]);
  expect(ids[0]).not.toBe(ids[1]);
});

itOnFiles('copies of a store from before stores had ids get the same one', async () => {
  const ids = new Set<string>();
  const entry = { actor: 'ann', action: 'a', detail: {}, atMs: 1, batchId: null };
  for (const _copy of [1, 2]) {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await store.audit.append(entry);
    await store.close();
    await asBefore(folder, '009');
    const copy = await openTestStore(folder);
    ids.add((await copy.identity.read()).id);
    await copy.close();
  }
  expect(ids.size).toBe(1);
});

it('a store that takes the place of others is one of them from then on, with an audit entry', async () => {
  const store = await openTestStore(temporaryFolder());
  const act = { ids: ['lost', 'earlier'], actor: 'ann', atMs: 1 };
  await store.identity.succeed(act);
  await store.identity.succeed(act);
  const identity = await store.identity.read();
  expect(identity.succeeds).toEqual(['lost', 'earlier']);
  expect([identity.id, 'lost', 'earlier'].map((id) => isStore(identity, id))).toEqual([
    ...[true, true, true],
  ]);
  expect(isStore(identity, 'other')).toBe(false);
  expect(await store.audit.list({ limit: 9 })).toMatchObject([{ action: 'store-succeeds' }]);
  const ref = await store.identity.ref();
  expect(ref.audit).toEqual(await store.audit.head());
  expect(idsOf(ref)).toEqual([identity.id, 'lost', 'earlier']);
  expect(readStoreRef(JSON.parse(JSON.stringify(ref)))).toEqual(ref);
  await store.close();
});

it('a copy that lacks an entry which a worker named is declared once, and a reference to it names that restore', async () => {
  const store = await openTestStore(temporaryFolder());
  const entry = { actor: 'ann', action: 'a', detail: {}, atMs: 1, batchId: null };
  await store.audit.append(entry);
  const ref = await store.identity.ref();
  expect(await store.identity.isUndeclaredCopy(ref)).toBe(false);
  expect(await store.identity.declareCopy(ref, 5)).toBe(false);

  const newer = { ...ref, audit: { seq: 9, hash: 'lost' } };
  expect(await store.identity.isUndeclaredCopy(newer)).toBe(true);
  const declared = [1, 2].map(() => store.identity.declareCopy(newer, 7));
  expect((await Promise.all(declared)).filter(Boolean)).toHaveLength(1);
  expect(await store.restores.of('any')).toEqual({ epoch: 7, atMs: 7, hasBegun: false });
  expect(await store.audit.list({ limit: 9 })).toMatchObject([
    { action: 'a' },
    { action: 'store-older', actor: 'Bursar', detail: { reason: expect.stringContaining('9') } },
  ]);
  expect((await store.identity.ref()).epoch).toBe(7);
  await store.close();
});

it.each([null, 'x', {}, { id: 1 }, { id: 'a', audit: { seq: '1', hash: '' } }])(
  '%j is no reference to a store',
  (value) => expect(readStoreRef(value)).toBeUndefined(),
);
