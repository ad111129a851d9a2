import type { MassPayout } from '@bursar/merchant-api';
import { createSendActivities } from '../../../src/activities/send/send-activities.ts';
import type { SendDeps } from '../../../src/activities/send/types.ts';
import type { SendChunksInput, SentChunks } from '../../../src/contract/sending.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { Store } from '../../../src/store/index.ts';
import { answer, fakeService, payloadOf, refused } from '../../support/fake-service.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { asActivity } from './as-activity.ts';
import { plainSendDeps } from './send-deps.ts';

export const BATCH = 'b';
export const CHUNKS = 40;
export const NOW_MS = 1_800_000_000_000;
export const ALL: readonly number[] = Array.from({ length: CHUNKS }, (_, chunk) => chunk);

/** A store with one planned batch. */
export async function storeOfBatch(folder: string): Promise<Store> {
  const store = await openTestStore(folder);
  await planBatch(store, BATCH, CHUNKS);
  const optionsJson = JSON.stringify({ rowTag: 'off', executionDate: null });
  await writableDb(store).updateTable('batch').set({ options_json: optionsJson }).execute();
  return store;
}

type World = Readonly<{
  input?: Partial<SendChunksInput>;
  deps?: Partial<SendDeps>;
  /** Before the service answers the lookup of a key. */
  onLookup?: (idempotencyKey: string) => unknown;
  /** Before the service answers the create of a chunk. */
  onCreate?: (chunk: number) => unknown;
  /** Facts of the mass payout in that answer. */
  shown?: (chunk: number) => Partial<MassPayout>;
}>;

/** Sends the chunks of a batch to a service that has none yet, and returns those that it was sent, in order. */
export async function sendGroup(
  store: Store,
  { input = {}, deps = {}, onLookup, onCreate, shown }: World = {},
) {
  const creates: number[] = [];
  const lookups: unknown[] = [];
  let underWay = 0;
  let widest = 0;
  const service = fakeService(
    {
      readMassPayout: async (asked) => {
        lookups.push(asked);
        if ('idempotencyKey' in asked) await onLookup?.(asked.idempotencyKey);
        throw refused(404);
      },
      createMassPayout: async (asked) => {
        const chunk = Number(/"name":"b\/(\d+)"/.exec(payloadOf(asked))?.[1]);
        creates.push(chunk);
        underWay += 1;
        widest = Math.max(widest, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        await onCreate?.(chunk);
        const payout = {
          id: `mp-${chunk}`,
          state: 'PROCESSING',
          withdrawalErrors: [],
          unreadableParts: [],
        };
        return answer({ ...payout, ...shown?.(chunk) });
      },
    },
    ['LOOKUP'],
  );
  await store.lookupVerification.save((await store.batches.facts(BATCH)).account, service.baseUrl, {
    operation: 'MASS_GET',
    lagMs: 0,
    provenAtMs: NOW_MS,
  });
  const { sendChunks } = createSendActivities({
    store,
    service,
    ...plainSendDeps(() => NOW_MS),
    ...deps,
  });
  const environment = asActivity();
  const group: SendChunksInput = {
    batchId: BATCH,
    digest: 'sha256:d',
    chunks: ALL,
    lanes: 4,
    forMs: 20_000,
    stopped: null,
    created: [],
    ...input,
  };
  const send = () => environment.run(sendChunks, group) as Promise<SentChunks>;
  return { send, environment, creates, lookups, widest: () => widest };
}
