import { describe, expect, it } from '@jest/globals';
import { planBatch } from '../../support/store-fixtures.ts';
import { onServer, openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asBefore } from '../support/older-store.ts';

/** Stores of earlier versions are files. */
const itOnFiles = onServer ? it.skip : it;
const describeOnFiles = onServer ? describe.skip : describe;

const end = (massPayoutState: string, outcome: 'PAID' | 'FAILED' | 'NOT_SENT') => ({
  massPayoutState,
  final: true,
  defaultOutcome: { outcome, reason: '' },
  rows: [],
  fee: null,
  unclearSinceMs: null,
  keepsLookups: false,
  payoutFingerprint: null,
  reopened: 0,
});

itOnFiles(
  'of a store from before rechecks, chunks with changeable ends are judged again',
  async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    const ends = [end('COMPLETED', 'PAID'), end('FAILED', 'FAILED'), end('CANCELED', 'NOT_SENT')];
    await planBatch(store, 'b', ends.length);
    for (const [chunk, outcome] of ends.entries()) {
      const { idempotencyKey } = await store.chunks.get('b', chunk);
      const payout = { id: `mp-${chunk}`, state: 'CONFIRMED', fee: null, differences: [] };
      await store.sends.setPayout({ batchId: 'b', chunk, idempotencyKey }, payout);
      await store.settlements.save({ batchId: 'b', chunk }, outcome);
    }
    await store.close();

    await asBefore(folder, '003');

    const again = await openTestStore(folder);
    const said = (await again.chunks.list('b')).map((chunk) => chunk.payoutFingerprint);
    expect(said).toEqual([null, '', null]);
    await again.close();
  },
);

itOnFiles(
  'of a store from before there were claims, batches that pay keep their reserved money',
  async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await planBatch(store, 'b', 1);
    await store.close();

    await asBefore(folder, '004', [
      `insert into reservation values ('b', 'a1', 'TRX', '0.5'), ('b', 'a1', 'BTC', '0')`,
    ]);

    const again = await openTestStore(folder);
    expect((await again.funds.look('a1')).claims).toMatchObject([
      { batchId: 'b', grantedAtMs: 1_800_000_000_000, open: [{ chunk: 0 }] },
    ]);
    await again.close();
  },
);

itOnFiles(
  'of a store from before operations were kept, a proof stays one by its operation',
  async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await store.lookupVerification.save('a1', 'u', {
      operation: 'LOOKUP',
      lagMs: 7,
      provenAtMs: 9,
    });
    await store.close();
    await asBefore(folder, '010');

    const again = await openTestStore(folder);
    expect(await again.lookupVerification.trust('a1', 'u')).toEqual({
      verified: { operation: 'LOOKUP', lagMs: 7, provenAtMs: 9 },
      disproof: undefined,
      answering: ['LOOKUP'],
      finding: ['LOOKUP'],
    });
    await again.close();
  },
);

describeOnFiles('of a store that was restored before restores were counted', () => {
  const RESTORED_MS = 1_800_000_000_000;
  const LATER_MS = RESTORED_MS + 900_001;
  const watch = (subject: string, condition: string, detail: string, atMs: number): string =>
    `insert into watch (subject, condition, detail, since_ms, seen_at_ms)
      values ('${subject}', '${condition}', '${detail}', ${atMs}, ${atMs})`;

  it('facts that were found since then still count', async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await planBatch(store, 'b', 1);
    await planBatch(store, 'later', 1);
    await store.close();
    await asBefore(folder, '014', [
      watch('store', 'older', 'as mira said', RESTORED_MS),
      watch('restored/new', 'NEW', '', RESTORED_MS + 1),
      watch('restored/begun', 'BEGUN', '', RESTORED_MS + 1),
      watch('restored/before', 'NEW', '', RESTORED_MS - 1),
      watch(`clock/${RESTORED_MS}/host/1`, 'read', '77', RESTORED_MS),
      watch(`clock/${RESTORED_MS - 5}/host/1`, 'read', '5', RESTORED_MS - 5),
      `update batch set submitted_at_ms = ${LATER_MS} where batch_id = 'later'`,
      `update batch set submitted_at_ms = ${RESTORED_MS} where batch_id = 'b'`,
    ]);

    const again = await openTestStore(folder);
    const { restores } = again;
    const restored = { epoch: RESTORED_MS, atMs: RESTORED_MS };
    expect(await restores.of('b')).toEqual({ ...restored, hasBegun: false });
    expect(await restores.of('begun')).toEqual({ ...restored, hasBegun: true });
    expect(await restores.of('before')).toEqual({ ...restored, hasBegun: false });
    expect([await restores.of('new'), await restores.of('later')]).toEqual([undefined, undefined]);
    expect(await restores.firstReading(RESTORED_MS, { clock: 'host/1', ms: 99 })).toMatchObject({
      ms: 77,
    });
    // The audit log does not say what was verified before, so what is open is verified once more.
    expect(await restores.progress('b')).not.toBeNull();
    expect(await again.watches.find('store')).toBeUndefined();
    await again.close();
  });

  it('and one that never was needs no verification', async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await planBatch(store, 'b', 1);
    await store.close();
    await asBefore(folder, '014');
    const again = await openTestStore(folder);
    expect([await again.restores.lastAtMs(), await again.restores.progress('b')]).toEqual([
      undefined,
      null,
    ]);
    await again.close();
  });
});
