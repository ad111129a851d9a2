import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PlanSeal } from '../../../src/activities/plan/plan-integrity.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { SendChunksInput } from '../../../src/contract/sending.ts';
import type { Store } from '../../../src/store/index.ts';
import { failed } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ALL, BATCH, sendGroup, storeOfBatch } from '../support/group-of-chunks.ts';

let store: Store;
beforeEach(async () => {
  store = await storeOfBatch(temporaryFolder());
});
afterEach(() => store.close());

describe('a group of one lane', () => {
  it('makes no create after a mass payout that is not the one that was asked for', async () => {
    const { send, creates } = await sendGroup(store, {
      input: { lanes: 1 },
      shown: (chunk) => (chunk === 2 ? { totalWithdrawalAmount: '999' } : {}),
    });
    const { steps } = await send();
    expect(steps[0]).toMatchObject({ chunk: 2, step: { kind: 'needs-operator' } });
    expect(creates).toEqual([0, 1, 2]);
  });
});

describe('the chunks of a group that go on by themselves', () => {
  const brokenFrom = (first: number): PlanSeal => ({
    isWhole: (_batch, { chunk }) =>
      chunk < first ? Promise.resolve(true) : Promise.reject(new Error('broken')),
  });

  it('are no more than its lanes where all of them throw', async () => {
    const { send } = await sendGroup(store, { deps: { seal: brokenFrom(0) } });
    expect((await send()).failed).toHaveLength(4);
  });

  it('are no more than its lanes where some throw and others wait', async () => {
    await withCanary();
    await (await sendGroup(store, { input: { chunks: [0] } })).send();
    const { send } = await sendGroup(store, {
      input: { chunks: ALL.slice(1, 9) },
      deps: { seal: brokenFrom(6) },
    });
    const { failed: threw, steps } = await send();
    expect([threw, steps.length]).toEqual([[6, 7, 8], 1]);
  });

  it('are none that wait for one that the group leaves to the next', async () => {
    await withCanary();
    const { send } = await sendGroup(store, { deps: { seal: brokenFrom(6) } });
    expect(await send()).toMatchObject({ created: [], steps: [], failed: [6, 7] });
  });

  it('include each one in doubt, though others wait in all lanes', async () => {
    await withCanary();
    const { send } = await sendGroup(store, {
      input: { chunks: ALL.slice(0, 10) },
      onCreate: async () => {
        for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
        throw failed('no-answer');
      },
    });
    const { steps } = await send();
    expect(steps.find(({ chunk }) => chunk === 0)?.step).toMatchObject({ inDoubt: true });
    expect(steps).toHaveLength(5);
  });
});

describe('a group whose chunks are behind one that is looked up last', () => {
  const behindTheFirst = async (input: Partial<SendChunksInput> = {}) => {
    await withCanary();
    const { idempotencyKey: first } = await store.chunks.get(BATCH, 0);
    return sendGroup(store, {
      input: { chunks: ALL.slice(0, 10), ...input },
      onLookup: async (key) => {
        if (key !== first) return;
        for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
      },
    });
  };

  it('sends that one', async () => {
    const { send, creates } = await behindTheFirst();
    const { created, steps } = await send();
    expect([creates, created]).toEqual([[0], [0]]);
    expect(steps.map(({ step }) => step)).toEqual(
      Array.from({ length: 4 }, () => ({ kind: 'behind', chunk: 0 })),
    );
  });
});

/** Pays the first rows of the batch before all others. */
async function withCanary(): Promise<void> {
  const optionsJson = JSON.stringify({ rowTag: 'off', executionDate: null, canaryRows: 1 });
  await writableDb(store).updateTable('batch').set({ options_json: optionsJson }).execute();
}
