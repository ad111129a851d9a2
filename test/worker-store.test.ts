import { describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { BursarError, type ErrorNote } from '../src/domain/errors/bursar-error.ts';
import type { NotifiableEvent } from '../src/domain/notify/events.ts';
import type { StoreIdentity, StoreRef } from '../src/domain/store/identity.ts';
import { checkStore } from '../src/worker-store.ts';

const THEIRS = { id: 'theirs', audit: { seq: 7, hash: 'ab' } };

const OURS: StoreIdentity = { id: 'ours', succeeds: [] };

type Queue = Readonly<{ served?: object; answers: boolean }>;

/** A Temporal whose queue names a store, and in which a worker answers or does not. */
const clientOf = ({ served, answers }: Queue): Client =>
  ({
    withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
    workflow: {
      getHandle: () => ({
        async describe() {
          if (served === undefined) throw new WorkflowNotFoundError('none', 'q', undefined);
          return { memo: { store: served }, status: { name: 'RUNNING' } };
        },
        query: () => (answers ? Promise.resolve({}) : Promise.reject(new Error('no worker'))),
      }),
    },
  }) as unknown as Client;

/** Starts a worker with the store `ours`. */
async function started(queue: Queue, isCopy = false, read = async () => OURS) {
  const declared: StoreRef[] = [];
  const told: NotifiableEvent[] = [];
  let closed: ErrorNote | null = null;
  const guard = {
    close: (next: Readonly<{ note: ErrorNote }> | null) => {
      closed = next?.note ?? null;
    },
    isClosed: () => false,
    isReplaced: () => false,
    refusalOf: async () => null,
  };
  const error: unknown = await checkStore({
    client: clientOf(queue),
    taskQueue: 'q',
    guard,
    store: {
      identity: {
        read,
        isUndeclaredCopy: async () => isCopy,
        declareCopy: async (named: StoreRef) => declared.push(named) === 1,
      } as never,
    },
    notify: async (news) => void told.push(news),
    log: { info() {}, warn() {}, error() {} },
  }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { told, closed: closed as ErrorNote | null, error, declared };
}

describe('a worker that starts with another store than its task queue names', () => {
  it.each([
    ['and ends, where a worker with the right store answers', true],
    ['and refuses all work, where no worker answers', false],
  ])('notifies people of store.is_another, %s', async (_, answers) => {
    const { told, closed, error } = await started({ served: THEIRS, answers });
    expect(told).toEqual([
      {
        event: 'store.is_another',
        batchId: null,
        key: expect.stringMatching(/ours.*theirs/),
        data: { what: expect.any(String), fix: expect.stringContaining('theirs') },
      },
    ]);
    expect(closed?.code).toBe(answers ? undefined : 'STORE_IS_ANOTHER');
    expect((error as { code?: string } | null)?.code).toBe(
      answers ? 'STORE_IS_ANOTHER' : undefined,
    );
  });

  it('a store that cannot be reached is not another one', async () => {
    const unreachable = new BursarError('STORE_UNREACHABLE', {
      url: 'postgres://db/x',
      reason: 'r',
    });
    const fails = async (): Promise<never> => Promise.reject(unreachable);
    const queue = { served: THEIRS, answers: false };
    const { told, closed, error } = await started(queue, false, fails);
    expect([told, closed, error]).toEqual([[], null, unreachable]);
  });

  it('notifies nobody where the queue names no store yet', async () => {
    expect(await started({ answers: false })).toEqual({
      told: [],
      closed: null,
      error: null,
      declared: [],
    });
  });
});

describe('a worker that starts with an older copy of the store of its task queue', () => {
  const served = { ...THEIRS, id: 'ours' };

  it('declares it before it takes work, and notifies people of store.is_older', async () => {
    const { told, closed, error, declared } = await started({ served, answers: true }, true);
    expect(declared).toEqual([served]);
    expect(told).toMatchObject([{ event: 'store.is_older', key: 'ours/7/ab' }]);
    expect([closed, error]).toEqual([null, null]);
  });

  it('declares nothing where the store has the entry', async () => {
    const { told, declared } = await started({ served, answers: true });
    expect([told, declared]).toEqual([[], []]);
  });
});
