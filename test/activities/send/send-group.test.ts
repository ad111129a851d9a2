import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/activity';
import type { FirstReader } from '../../../src/activities/send/types.ts';
import type { Store } from '../../../src/store/index.ts';
import { failed, refused } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ALL, BATCH, CHUNKS, NOW_MS, sendGroup, storeOfBatch } from '../support/group-of-chunks.ts';

const HOLD = {
  n: 1,
  kind: 'STOP_LOSS',
  reason: 'lost',
  by: 'engine',
  since: '',
  facts: {},
} as const;

let store: Store;
beforeEach(async () => {
  store = await storeOfBatch(temporaryFolder());
});
afterEach(() => store.close());

const sorted = (chunks: readonly number[]): number[] => [...chunks].sort((a, b) => a - b);

describe('a group', () => {
  it('sends each of its chunks once, as many side by side as it has lanes', async () => {
    const { send, creates, widest } = await sendGroup(store);
    const { created, steps, failed: threw } = await send();
    expect([sorted(created), steps, threw]).toEqual([ALL, [], []]);
    expect([sorted(creates), widest()]).toEqual([ALL, 4]);
  });

  it('that is sent again sends nothing twice', async () => {
    await (await sendGroup(store)).send();
    const { send, creates } = await sendGroup(store);
    expect(sorted((await send()).created)).toEqual(ALL);
    expect(creates).toEqual([]);
  });

  it('begins no further chunk once one is in doubt, and ends those under way', async () => {
    const onCreate = (chunk: number) => {
      if (chunk === 5) throw failed('no-answer');
    };
    const { send, creates } = await sendGroup(store, { onCreate });
    const { created, steps } = await send();
    expect(steps).toEqual([
      { chunk: 5, step: expect.objectContaining({ kind: 'waiting', inDoubt: true }) },
    ]);
    expect(sorted([...created, 5])).toEqual(sorted(creates));
    expect(creates.length).toBeLessThan(CHUNKS / 2);
  });

  it('goes on after a chunk that the service refused', async () => {
    const onCreate = (chunk: number) => {
      if (chunk === 5) throw refused(400);
    };
    const { send, creates } = await sendGroup(store, { onCreate });
    const { created, steps } = await send();
    expect(steps).toEqual([
      { chunk: 5, step: expect.objectContaining({ kind: 'rejected', halt: false }) },
    ]);
    expect([created.length, creates.length]).toEqual([CHUNKS - 1, CHUNKS]);
  });

  it('ends when the service refuses the key, as no other chunk would fare better', async () => {
    const { send, creates } = await sendGroup(store, {
      onCreate: () => {
        throw refused(401);
      },
    });
    const { steps } = await send();
    expect(steps[0]?.step).toMatchObject({ kind: 'rejected', halt: true });
    expect(creates.length).toBeLessThanOrEqual(8);
  });

  it('names a chunk whose sending throws, and keeps the steps of the others', async () => {
    const isWhole = (_batch: unknown, { chunk }: Readonly<{ chunk: number }>) =>
      chunk === 3 ? Promise.reject(new Error('broken')) : Promise.resolve(true);
    const { send } = await sendGroup(store, { deps: { seal: { isWhole } } });
    const sent = await send();
    expect(sent.failed).toEqual([3]);
    expect(sent.created).toEqual(expect.arrayContaining([0, 1, 2]));
  });

  it('begins no chunk once its time is over', async () => {
    let ms = NOW_MS;
    const { send, creates } = await sendGroup(store, {
      input: { lanes: 1, forMs: 5_000 },
      deps: { readClock: () => ({ clock: 'ours', ms }) },
      onCreate: (chunk) => {
        if (chunk === 2) ms += 5_000;
      },
    });
    expect((await send()).created).toEqual([0, 1, 2]);
    expect(creates).toEqual([0, 1, 2]);
  });

  it('begins a chunk though its facts took longer to read than it has', async () => {
    let ms = NOW_MS;
    const { send } = await sendGroup(store, {
      input: { lanes: 1, forMs: 20 },
      deps: { readClock: () => ({ clock: 'ours', ms: (ms += 30) }) },
    });
    expect((await send()).created).toEqual([0]);
  });

  it('begins no chunk once Temporal has given it up', async () => {
    const { send, environment, creates } = await sendGroup(store, {
      input: { lanes: 1 },
      onCreate: (chunk) => {
        if (chunk === 2) environment.cancel();
      },
    });
    await send().catch(() => undefined);
    expect(creates).toEqual([0, 1, 2]);
  });

  it('begins no chunk once its worker stops', async () => {
    let goesOn = true;
    const { send } = await sendGroup(store, {
      input: { lanes: 1 },
      deps: { mayGoOn: () => goesOn },
      onCreate: (chunk) => void (goesOn = chunk < 4),
    });
    expect((await send()).created).toEqual([0, 1, 2, 3, 4]);
  });

  it('prepares the next chunk while a create is under way, and sends it after that', async () => {
    const seen: number[] = [];
    const { send, creates, lookups } = await sendGroup(store, {
      input: { lanes: 1, chunks: [0, 1, 2] },
      onCreate: async () => {
        while (lookups.length < Math.min(3, creates.length + 1)) await new Promise(setImmediate);
        seen.push(lookups.length);
      },
    });
    expect((await send()).created).toEqual([0, 1, 2]);
    expect([creates, seen]).toEqual([
      [0, 1, 2],
      [2, 3, 3],
    ]);
  });

  it('looks a prepared chunk up again that has waited for longer than a lookup counts', async () => {
    let ms = NOW_MS;
    const { send, creates, lookups } = await sendGroup(store, {
      input: { lanes: 1, chunks: [0, 1] },
      deps: { readClock: () => ({ clock: 'ours', ms }) },
      onCreate: async (chunk) => {
        while (lookups.length < 2) await new Promise(setImmediate);
        if (chunk === 0) ms += 10_001;
      },
    });
    expect((await send()).created).toEqual([0, 1]);
    expect([creates, lookups.length]).toEqual([[0, 1], 3]);
  });

  it('leaves a prepared chunk to the next group once it ends', async () => {
    const { send, creates, lookups } = await sendGroup(store, {
      input: { lanes: 1, chunks: [0, 1, 2] },
      onCreate: async () => {
        while (lookups.length < 2) await new Promise(setImmediate);
        throw refused(401);
      },
    });
    const { created, steps, failed: threw } = await send();
    expect([created, steps.map(({ chunk }) => chunk), threw]).toEqual([[], [0], []]);
    expect(creates).toEqual([0]);
  });

  it('reads mass payouts right after their creates, and returns those at their end', async () => {
    const read = (_batch: unknown, chunk: number) => Promise.resolve(chunk < 2);
    const firstReader: FirstReader = { read, holdAfter: () => Promise.resolve(HOLD) };
    const input = { readsFirst: true, chunks: [0, 1, 2, 3], lanes: 1 };
    const { created, settled, hold } = await (
      await sendGroup(store, { input, deps: { firstReader } })
    ).send();
    expect([created, settled, hold]).toEqual([[0, 1, 2, 3], [0, 1], HOLD]);
  });

  it('reads none where such mass payouts take longer', async () => {
    const read = () => Promise.reject(new Error('it must not be read'));
    const { send } = await sendGroup(store, { deps: { firstReader: { read, holdAfter: read } } });
    expect(await send()).toMatchObject({ settled: [], failed: [], steps: [] });
  });

  it('of a stopped batch closes its chunks, and sends none', async () => {
    const { send, creates } = await sendGroup(store, {
      input: { stopped: 'canceled by ann: wrong' },
    });
    const { steps } = await send();
    expect(steps.map(({ step }) => step.kind)).toEqual(ALL.map(() => 'closed'));
    expect(creates).toEqual([]);
  });

  it('of a held batch ends with the hold', async () => {
    const hold = { kind: 'PAUSE', reason: 'ann looks', by: 'ann', facts: {} } as const;
    await store.holds.put(BATCH, { ...hold, actor: 'ann' }, NOW_MS);
    const { send, creates } = await sendGroup(store);
    const { steps } = await send();
    expect(steps).toHaveLength(4);
    expect(steps[0]?.step).toMatchObject({ kind: 'held', hold: { reason: 'ann looks' } });
    expect(creates).toEqual([]);
  });

  it('of another plan than that of the store sends nothing', async () => {
    const { send, creates } = await sendGroup(store, { input: { digest: 'sha256:other' } });
    await expect(send()).rejects.toMatchObject({ type: 'DIGEST_MISMATCH' });
    expect(creates).toEqual([]);
  });

  it('that is canceled ends as canceled', async () => {
    const isWhole = () => Promise.reject(new CancelledFailure('the worker stops'));
    const { send } = await sendGroup(store, { deps: { seal: { isWhole } } });
    await expect(send()).rejects.toThrow(CancelledFailure);
  });
});
