import type { Swept } from '../../../src/contract/sweep.ts';
import { createSettleActivities } from '../../../src/activities/settle/settle.ts';
import { idempotencyKeyOf } from '../../../src/domain/sending/identity.ts';
import type { LookupRecord, MassPayout, Payout, Reference } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import type { Operation } from '@bursar/merchant-api/spec';
import { answer, fakeService, refused } from '../../support/fake-service.ts';
import {
  ACCOUNT,
  contentOf,
  newBatch,
  planNamed,
  stagedChunk,
  summaryOf,
} from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from './as-activity.ts';

/** Nothing is waited for. */
const NO_FENCE = { timestampWindowMs: 0, fenceMarginMs: 0, resend: 'auto' } as const;

const BATCH = 'b';
export const KEY = idempotencyKeyOf({ account: ACCOUNT, batchId: BATCH, chunk: 0, generation: 0 });
export const POLL_MAX_MS = 60_000;

/** The first row of a file stands in its second line. */
const FIRST_ROW = 2;

export type OpenChunk = Awaited<ReturnType<typeof openChunk>>;

/** A batch of one chunk, created as `mp`, and a service that says of it what the test lets it say. */
export async function openChunk(rowCount: number, lacks: readonly Operation[] = []) {
  const store = await openTestStore(temporaryFolder());
  await createChunk(store, rowCount);
  const world = {
    nowMs: 1_800_000_000_000,
    payout: {
      id: 'mp',
      state: 'CONFIRMED',
      withdrawalErrors: [],
      unreadableParts: [],
    } as MassPayout,
    records: new Map<string, Payout>(),
    /** Withdrawals that were asked for, in order. */
    asked: [] as string[],
    /** Instead of an answer to the question for a withdrawal. */
    fail: undefined as ((id: string) => Error | undefined) | undefined,
    /** Instead of the mass payout. */
    refuse: undefined as Error | undefined,
    /** How often the mass payout was asked for. */
    reads: 0,
    /** What happens as soon as the mass payout was asked for. */
    whileReading: undefined as (() => Promise<unknown>) | undefined,
    /** The waits between tries, and after how many of them the service answers again. */
    pauses: [] as number[],
    refusals: Number.POSITIVE_INFINITY,
    /** The chunks at their ends, by batch, of which the lines may be written. */
    followed: [] as [string, readonly number[]][],
  };
  const lookup = (reference: Reference) => {
    const id = 'id' in reference ? reference.id : '';
    world.asked.push(id);
    const record = world.records.get(id);
    const error = world.fail?.(id) ?? (record === undefined ? refused(404) : undefined);
    return error === undefined
      ? Promise.resolve(answer({ kind: 'payout', ...record } as LookupRecord))
      : Promise.reject(error);
  };
  const service = fakeService(
    {
      readMassPayout: async () => {
        world.reads += 1;
        const { payout, refuse } = world;
        await world.whileReading?.();
        if (refuse !== undefined) throw refuse;
        return answer(payout);
      },
      lookup,
    },
    lacks,
  );
  const pause = (delayMs: number): Promise<void> => {
    world.pauses.push(delayMs);
    if (world.pauses.length >= world.refusals) world.refuse = undefined;
    return Promise.resolve();
  };
  const sweepOnce = (nowMs = () => world.nowMs): Promise<Swept> => {
    const { sweepChunks } = createSettleActivities({
      store,
      service,
      nowMs,
      pause,
      fence: NO_FENCE,
      readClock: () => ({ clock: 'ours', ms: nowMs() }),
      early: { follow: (batchId, chunks) => void world.followed.push([batchId, chunks]) },
    });
    return asActivity().run(sweepChunks, { batchId: BATCH, chunks: [0] });
  };
  const sweepAt = async (nowMs?: () => number): Promise<Omit<Swept, 'needsOperator'>> => {
    const { needsOperator: _alarms, ...swept } = await sweepOnce(nowMs);
    return swept;
  };
  return {
    store,
    world,
    sweep: () => sweepAt(),
    /** A sweep by another clock. */
    sweepAt,
    /** Whether a sweep says that somebody should look. */
    alarms: async (): Promise<boolean> => (await sweepOnce()).needsOperator?.length === 1,
    chunk: () => store.chunks.get(BATCH, 0),
    /** The outcomes of all rows, in the order of the file. */
    async outcomes(): Promise<string[]> {
      const { defaultOutcome } = await store.chunks.get(BATCH, 0);
      const outcomes = await store.settlements.ofChunk(BATCH, 0);
      return Array.from(
        { length: rowCount },
        (_, i) => outcomes.get(FIRST_ROW + i)?.outcome ?? defaultOutcome,
      );
    },
    looks: () => store.withdrawalLookups.ofChunk({ batchId: BATCH, chunk: 0 }),
    ref: { batchId: BATCH, chunk: 0, idempotencyKey: KEY },
  };
}

async function createChunk(store: Store, rowCount: number): Promise<void> {
  const optionsJson = JSON.stringify({
    rowTag: 'off',
    pollMaxMs: POLL_MAX_MS,
    executionDate: null,
  });
  await store.batches.register(newBatch(BATCH, { optionsJson }));
  const chunk = stagedChunk(0, rowCount);
  const { ingestId, sink, flush } = store.staging.begin(BATCH);
  await sink.putChunk(chunk);
  await flush();
  await store.staging.publish(BATCH, ingestId, summaryOf([chunk]));
  await store.batches.planOnce(contentOf(BATCH), () => planNamed('sha256:d'));
  const externalId = `${BATCH}/0/0`;
  await store.chunks.plan(BATCH, [{ ...chunk, idempotencyKey: KEY, externalId }]);
  await store.sends.setPayout(
    { batchId: BATCH, chunk: 0, idempotencyKey: KEY },
    { id: 'mp', state: 'CONFIRMED', fee: null, differences: [] },
  );
}

/** The withdrawal of the nth row, counted from 0, as the mass payout names it. */
export const named = (nth: number, errorResolved = false) => ({
  withdrawalId: `w${nth}`,
  errors: [{ errorResolved, errorMessage: 'declined' }],
});

/** The payout record of the nth row's withdrawal. */
export const recordOf = (nth: number, state: string): [string, Payout] => [
  `w${nth}`,
  {
    id: `w${nth}`,
    state,
    depositAddress: `address-${FIRST_ROW + nth}`,
    amount: '1',
    unreadableParts: [],
  },
];
