import type { SendDeps } from '../../../src/activities/send/types.ts';
import { createSendActivities } from '../../../src/activities/send/send-activities.ts';
import type { SendStep } from '../../../src/contract/sending.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import { answer, fakeService, refused } from '../../support/fake-service.ts';
import { asActivity } from './as-activity.ts';
import { plainSendDeps } from './send-deps.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

export type Sent = Readonly<{ step: SendStep; creates: number }>;

const CREATED: MassPayout = {
  id: 'mp',
  state: 'CONFIRMED',
  withdrawalErrors: [],
  unreadableParts: [],
};

/**
 * Sends chunk 0 of a batch to a service that knows nothing yet and takes everything; says how many creates came in.
 * `onCreate` gets the time that a create was signed with; `found` is what every lookup finds, where the service knows something.
 */
export async function sendAnew(
  store: Store,
  batchId: string,
  {
    onCreate,
    onLookup,
    pace,
    found,
    created = CREATED,
    proveLookup = false,
    ...more
  }: Pick<SendDeps, 'nowMs'> &
    Partial<Pick<SendDeps, 'seal' | 'confirmResend' | 'unsent' | 'leases'>> & {
      onCreate?: (signedMs?: number) => unknown;
      onLookup?: () => void;
      pace?: () => Promise<void>;
      found?: MassPayout;
      /** The answer to a create. */
      created?: MassPayout;
      proveLookup?: boolean;
    },
): Promise<Sent> {
  await setOptions(store, batchId);
  let creates = 0;
  const plain = fakeService(
    {
      readMassPayout: () => {
        onLookup?.();
        return found === undefined
          ? Promise.reject(refused(404))
          : Promise.resolve({ ...answer(found), timestampMs: more.nowMs() });
      },
      createMassPayout: async (input) => {
        creates += 1;
        await onCreate?.('body' in input ? input.body.timestampMs : undefined);
        return answer(created);
      },
    },
    ['LOOKUP'],
  );
  const service = pace === undefined ? plain : { ...plain, pace };
  const { sendChunk } = createSendActivities({
    store,
    service,
    ...plainSendDeps(more.nowMs),
    // After a create, lookups are repeated for eight seconds until one finds it.
    pause: () => Promise.resolve(),
    ...more,
  });
  const { digest } = await store.batches.facts(batchId);
  const input = { batchId, chunk: 0, digest: digest ?? '', proveLookup };
  const told = { stopped: null, wasCreated: false };
  const step = (await asActivity().run(sendChunk, { ...input, ...told })) as SendStep;
  return { step, creates };
}

/** Gives a batch the choices that decide what a create says. */
async function setOptions(store: Store, batchId: string): Promise<void> {
  const options = JSON.stringify({ rowTag: 'off', executionDate: null });
  const change = writableDb(store).updateTable('batch').set({ options_json: options });
  await change.where('batch_id', '=', batchId).execute();
}
