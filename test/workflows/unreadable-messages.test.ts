import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { isCheckStore, isHint, isProgress, isResume } from '../../src/contract/read-messages.ts';
import { DAY_MS, isoOf } from '../support/approvers.ts';
import { playBatch, playWaiting } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const ACT = { by: 'ann', reason: 'it is fine' };
const HOLD = { n: 1, kind: 'PAUSE', ...ACT, since: '2026-11-21T09:00:00Z', facts: {} };
const PROGRESS = { partition: 0, sent: false, halt: null, needsOperator: [] };
/** What another client of Temporal may send. */
const ANYTHING = [undefined, null, 5, 'x', [], {}, { by: 'ann' }, { by: 5, reason: 'x' }];

describe('a message of another form', () => {
  it.each<[name: string, isRead: (given: unknown) => boolean, good: object[], bad: object[]]>([
    ['resume', isResume, [ACT, { ...ACT, hold: { n: 1 } }], [{ ...ACT, hold: null }]],
    ['hint', isHint, [{ chunks: [] }, { chunks: [0, 7] }], [{ chunks: ['0'] }, { chunks: 7 }]],
    [
      'progress',
      isProgress,
      [PROGRESS, { ...PROGRESS, halt: 'no', needsOperator: [4], hold: HOLD }],
      [
        { ...PROGRESS, halt: undefined },
        { ...PROGRESS, halt: 5 },
        { ...PROGRESS, needsOperator: null },
        { ...PROGRESS, hold: { ...HOLD, kind: 'x' } },
        { ...PROGRESS, hold: { ...HOLD, facts: { a: 5 } } },
      ],
    ],
  ])('is not read as a %s', (_name, isRead, good, bad) => {
    expect(good.filter((one) => !isRead(one))).toEqual([]);
    expect([...ANYTHING, ...bad].filter(isRead)).toEqual([]);
  });

  it('is not read as a word about the store', () => {
    const note = { code: 'STORE_IS_ANOTHER', what: 'a', why: 'b', fix: 'c' };
    expect([{}, { note }].every(isCheckStore)).toBe(true);
    const bad = [null, 5, { ...note, code: 'x' }, { ...note, what: 5 }].map((one) => ({
      note: one,
    }));
    expect([undefined, null, 5, 'x', ...bad].filter(isCheckStore)).toEqual([]);
  });

  it.each(['pause', 'resume', 'cancel'])(
    'as the update %s is refused, and the batch goes on',
    async (update) => {
      const at = isoOf(Date.now() + DAY_MS);
      const use: Parameters<typeof playBatch>[1] = async ({ ask, handle, until }) => {
        await until('it waits', ({ state }) => state === 'SCHEDULED');
        for (const given of ANYTHING) expect(await ask(update, given)).toBe('MESSAGE_UNREADABLE');
        expect(await until('it still waits', ({ state }) => state === 'SCHEDULED')).toMatchObject({
          holds: [],
          canceledBy: null,
        });
        expect(await ask('cancel', ACT)).toBeNull();
        expect(await handle.result()).toMatchObject({ state: 'CANCELED' });
      };
      await playBatch({}, use, { at });
    },
  );

  it('as the signal of a partition, or about the store, is dropped: the batch pays to its end', async () => {
    // It has not ended before its due time, so every signal reaches it.
    const at = isoOf(Date.now() + 5_000);
    const use: Parameters<typeof playBatch>[1] = async ({ handle }) => {
      for (const given of [...ANYTHING, { ...PROGRESS, halt: undefined }]) {
        await handle.signal('progress', given);
        await handle.signal('checkStore', given);
      }
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    };
    await playBatch({}, use, { at });
  });

  it('as a signal to a partition is dropped: its chunks are sent and read', async () => {
    const signals = ANYTHING.flatMap((argument) => [
      { name: 'hint', argument },
      // A text is the reason of a stop.
      ...(typeof argument === 'string' ? [] : [{ name: 'stop', argument }]),
    ]);
    const partition = { partition: 0, firstChunk: 0, chunkCount: 1, canary: false };
    const waiting = { update: 'resolve', argument: null, signals, partition };
    await playWaiting({}, waiting, async ({ handle }, answer) => {
      expect(await answer).not.toBeNull();
      expect(await handle.result()).toMatchObject({ settled: 1, notSent: 0 });
    });
  });
});
