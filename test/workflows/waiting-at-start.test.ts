import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Resumed } from '../../src/contract/activities.ts';
import type { SendChunkInput, SendStep } from '../../src/contract/sending.ts';
import { playWaiting } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const ACT = { by: 'ann', reason: 'it is fine' };
/** Signals that anybody may send at any time. */
const SIGNALS = [{ name: 'controls' }, { name: 'funds' }];

/*
 * A worker was away. The first workflow task then brings the start of the batch, and all that people sent meanwhile.
 */
describe('a batch whose first workflow task brings', () => {
  const resumeBatch = async (): Promise<Resumed> => ({ kind: 'not-held' });

  it.each([
    ['a resume', 'resume', ACT, 'NOT_HELD', 'COMPLETED'],
    ['an approval', 'approve', { approval: {} }, 'APPROVAL_NOT_NEEDED', 'COMPLETED'],
    ['a cancel', 'cancel', ACT, null, 'CANCELED'],
  ] as const)('%s answers it, and goes on', async (_, update, argument, answer, state) => {
    await playWaiting(
      { resumeBatch },
      { update, argument, signals: SIGNALS },
      async ({ handle }, answered) => {
        expect(await answered).toBe(answer);
        expect(await handle.result()).toMatchObject({ state });
      },
    );
  });

  it('a pause is paused, and goes on by a resume', async () => {
    await playWaiting(
      {},
      { update: 'pause', argument: ACT, signals: SIGNALS },
      async ({ ask, until, handle }, answered) => {
        expect(await answered).toBeNull();
        await until('it is paused', ({ holds }) => holds.length === 1);
        expect(await ask('resume', ACT)).toBeNull();
        expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
      },
    );
  });
});

it('a partition whose first workflow task brings an answer and a stop refuses the one and takes the other', async () => {
  const answer = { chunk: 0, kind: 'abandon', by: 'ann', reason: 'it is fine' };
  const sends: (string | null)[] = [];
  const world = {
    sendChunk: async ({ stopped }: SendChunkInput): Promise<SendStep> => {
      sends.push(stopped);
      return { kind: 'closed' };
    },
  };
  const waiting = {
    update: 'resolve',
    argument: answer,
    signals: [
      { name: 'stop', argument: 'canceled by ann' },
      { name: 'hint', argument: { chunks: [0] } },
    ],
    partition: { partition: 0, firstChunk: 0, chunkCount: 1, canary: true },
  };
  await playWaiting(world, waiting, async ({ handle }, answered) => {
    expect(await answered).toBe('CHUNK_NOT_WAITING');
    expect(await handle.result()).toEqual({ settled: 0, notSent: 1 });
  });
  expect(sends).toEqual(['canceled by ann']);
});
