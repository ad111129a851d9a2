import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import type { BatchInHand } from '../support/operators.ts';
import { copyStore, restoreStore } from '../support/store-copy.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import {
  ARRIVE,
  CHUNK_ROWS,
  CHUNKS,
  expectTheUsualEnd,
  idsOf,
  type RecoveryWorld,
  startRecoveryWorld,
} from './support/recovery-world.ts';

jest.setTimeout(600_000);

let world: RecoveryWorld;
beforeAll(async () => {
  world = await startRecoveryWorld(sharedFolder());
});
afterAll(() => world?.stop());

describe('when the database of Temporal is lost, and the store is brought back from an older copy', () => {
  /** Chunks that arrived after the copy was taken. */
  const FORGOTTEN = 4;
  const SENT_ROWS = (ARRIVE + FORGOTTEN) * CHUNK_ROWS;
  let batch: BatchInHand;

  it('recover adopts mass payouts that the copy lacks, and sends nothing more until a person resumes it', async () => {
    batch = await world.midSend(6);
    await world.stack.kill('worker');
    const copy = copyStore(world.stack.folder);
    await world.letArrive(FORGOTTEN);
    await world.stack.start('worker');
    await world.arrived(batch, ARRIVE + FORGOTTEN);

    await world.loseTemporal(() => restoreStore(world.stack.folder, copy));
    const { code, batches } = await world.recover('--store', 'older', '--yes');
    expect([code, idsOf(batches)]).toEqual([0, [batch.batchId]]);
    await batch.isHeld('PAUSE');
    await eventually('all is adopted that was sent', async () => {
      const { chunks } = (await batch.status()) as { chunks: { byState: Record<string, number> } };
      const { PLANNED: unsent = 0, SENDING: inDoubt = 0 } = chunks.byState;
      return CHUNKS - unsent - inDoubt === ARRIVE + FORGOTTEN || undefined;
    });
    expect(await batch.sent()).toHaveLength(SENT_ROWS);
  });

  it('then it is paid to its end, no row twice', async () => {
    expect(await batch.tell('resume', 'looked at')).toEqual([0, undefined]);
    await expectTheUsualEnd(batch, [10, 'PARTIAL']);
  });
});

describe('when the store alone is brought back from a copy that is older than a batch', () => {
  it('recover has the batch begin again, adopt its mass payouts, and wait for a person before it sends more', async () => {
    const copy = copyStore(world.stack.folder);
    const paid = await world.begin(world.rowsOf(4));
    await expectTheUsualEnd(paid, [0, 'COMPLETED']);
    const paying = await world.midSend(8);
    await world.stack.kill('worker');
    await world.stack.stopOne('bridge');
    restoreStore(world.stack.folder, copy);
    await world.service.clearFaults();
    await world.stack.start('bridge');
    await world.stack.start('worker');
    expect((await world.recover('--dry-run')).batches).toEqual([]);
    const { batches } = await world.recover('--store', 'older', '--yes');
    expect(batches).toMatchObject(
      [paying, paid].map(({ batchId }) => ({ batchId, found: 'UNKNOWN_TO_STORE', done: true })),
    );
    await expectTheUsualEnd(paid, [0, 'COMPLETED']);
    // The store does not know that it was ever allowed to pay.
    await paying.isHeld('APPROVAL');
    expect(await paying.sent()).toHaveLength(ARRIVE * CHUNK_ROWS);
    expect(await paying.tell('resume', 'looked at')).toEqual([0, undefined]);
    await expectTheUsualEnd(paying, [10, 'PARTIAL']);
  });
});
