import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createAuditHeadTask } from '../../../src/activities/housekeeping/audit-head.ts';
import type { Store } from '../../../src/store/index.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fakeReceiver } from '../support/fake-receiver.ts';

const KEY = randomBytes(32);

let store: Store;
let folder: string;
let nowMs: number;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  nowMs = Date.UTC(2026, 10, 21, 9);
});
afterEach(() => store.close());

const keep = (url: string): Promise<string> =>
  createAuditHeadTask({ store, url, readKeys: () => [KEY], nowMs: () => nowMs }).run();

const kept = (): unknown[] =>
  readdirSync(join(folder, 'kept')).map((name) =>
    JSON.parse(readFileSync(join(folder, 'kept', name), 'utf8')),
  );

describe('the end of the audit log', () => {
  it('is kept in a place of files, each head once, at most once a minute', async () => {
    const url = `file:${join(folder, 'kept')}`;
    expect(await keep(url)).toBe('the log is empty');
    await store.batches.register(newBatch('june'));
    const head = await store.audit.storeHead();
    const { id: storeId } = await store.identity.read();
    expect(await keep(url)).toBe(`entry ${head?.seq} is kept`);
    const first = { schema: 'bursar.audit-head/v1', storeId, entries: head?.seq, hash: head?.hash };
    expect(kept()).toEqual([first]);
    expect(await keep(url)).toBe('it is kept');
    await store.batches.register(newBatch('july'));
    expect(await keep(url)).toBe('a newer one is pushed soon');
    nowMs += 60_000;
    await keep(url);
    expect(kept()).toHaveLength(2);
    expect(kept()).toContainEqual(first);
  });

  it('is that of the store chain, which has the heads of all batches', async () => {
    await store.batches.register(newBatch('june'));
    const { head } = await store.audit.verify();
    expect(await store.audit.storeHead()).toEqual(head);
  });

  it('is sent to a receiver, signed as notifications are', async () => {
    const { url, got } = await fakeReceiver();
    // The verifier of the reference library goes by the clock of this machine.
    nowMs = Date.now();
    await store.batches.register(newBatch('june'));
    await keep(url);
    const [one] = got;
    const receiver = new Webhook(`whsec_${KEY.toString('base64')}`);
    const head = await store.audit.storeHead();
    expect(receiver.verify(one?.body ?? '', one?.headers ?? {})).toMatchObject({
      entries: head?.seq,
      hash: head?.hash,
    });
  });

  it('is sent again by the next round when its receiver refuses it', async () => {
    let status = 503;
    const { url, got } = await fakeReceiver((response) => {
      response.statusCode = status;
      response.end();
    });
    await store.batches.register(newBatch('june'));
    const refused = { code: 'AUDIT_HEAD_NOT_KEPT', facts: { why: 'status 503' } };
    await expect(keep(url)).rejects.toMatchObject(refused);
    status = 200;
    expect(await keep(url)).toMatch(/is kept$/);
    expect(got).toHaveLength(2);
  });
});
