import { NO_UNSENT_LIST } from '../../../src/store/sending/unsent-list.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSendActivities } from '../../../src/activities/send/send-activities.ts';
import type { SendPolicy } from '../../../src/domain/sending/decide.ts';
import { MISSES_MIN } from '../../../src/domain/sending/evidence.ts';
import type { MassPayout, Reference } from '@bursar/merchant-api';
import type { SendStep } from '../../../src/contract/sending.ts';
import type { Store } from '../../../src/store/index.ts';
import { answer, failed, fakeService, refused } from '../../support/fake-service.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';

const BASE_URL = 'http://service';
const NOW_MS = 1_800_000_000_000;
const POLICY = {
  timestampWindowMs: 180_000,
  fenceMarginMs: 60_000,
  skewMs: 0,
  requestTimeoutMs: 0,
};
/** When the attempt in doubt was signed: its fence has passed. */
const LONG_AGO_MS = NOW_MS - 600_000;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

const keyOf = async (chunk: number) => (await store.chunks.get('b', chunk)).idempotencyKey;

/** Chunk 0 was created; chunk 1 may have been. A lookup by key was once seen to find what was created. */
async function inDoubt(): Promise<void> {
  await planBatch(store, 'b', 2);
  const created = { batchId: 'b', chunk: 0, idempotencyKey: await keyOf(0) };
  const ref = { batchId: 'b', chunk: 1, idempotencyKey: await keyOf(1) };
  const intent = { payload: '{}', payloadSha256: SHA256_OF_PAYLOAD };
  await store.sends.setPayout(created, { id: 'mp-0', state: 'X', fee: null, differences: [] });
  const begun = { clock: 'ours', ms: LONG_AGO_MS };
  const attempt = { n: 1, timestampMs: LONG_AGO_MS, begun, bodySha256: 'b', intent };
  await store.sends.beginAttempt(ref, attempt);
  await store.sends.endAttempt(ref, { n: 1, endedMs: LONG_AGO_MS + 1, outcome: 'AMBIGUOUS' });
  const proof = { operation: 'MASS_GET', lagMs: 0, provenAtMs: LONG_AGO_MS } as const;
  await store.lookupVerification.save(ACCOUNT, BASE_URL, proof);
  // All misses that a second create needs but for the last one.
  for (let i = 1; i < MISSES_MIN; i += 1) {
    const atMs = NOW_MS - (MISSES_MIN - i) * 5_000;
    const asked = { clock: 'ours', ms: atMs };
    const lookup = { atMs, attempts: 1, asked, elapsedMs: atMs - LONG_AGO_MS };
    await store.sends.recordLookup(ref, { ...lookup, result: 'missed' });
  }
}

/** The hash of `{}`. */
const SHA256_OF_PAYLOAD = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

type Played = Readonly<{
  witness: MassPayout | Error;
  resend?: SendPolicy['resend'];
  /** Only a question after a pause of a second is answered; any other one is throttled. */
  throttles?: boolean;
}>;

/** Sends chunk 1, which nobody finds; a question for the key of chunk 0 is answered as told. */
async function send({ witness, resend = 'auto', throttles = false }: Played) {
  const witnessKey = await keyOf(0);
  const creates: string[] = [];
  let allowance = 1;
  const service = fakeService(
    {
      readMassPayout: (reference: Reference) => {
        const key = 'idempotencyKey' in reference ? reference.idempotencyKey : '';
        if (key !== witnessKey) return Promise.reject(refused(404));
        if (throttles && allowance === 0) return Promise.reject(refused(429));
        allowance -= 1;
        return witness instanceof Error
          ? Promise.reject(witness)
          : Promise.resolve({ ...answer(witness), timestampMs: NOW_MS });
      },
      createMassPayout: () => {
        creates.push('create');
        return Promise.resolve(
          answer({ id: 'mp-1', state: 'CONFIRMED', withdrawalErrors: [], unreadableParts: [] }),
        );
      },
    },
    ['LOOKUP'],
  );
  const { sendChunk } = createSendActivities({
    store,
    service,
    confirmResend: () => Promise.reject(new Error('this batch is no resend')),
    seal: { isWhole: () => Promise.resolve(true) },
    unsent: NO_UNSENT_LIST,
    policy: { ...POLICY, resend },
    createFields: 'needed',
    sendBudgetMs: 10_000,
    mayGoOn: () => true,
    nowMs: () => NOW_MS,
    readClock: () => ({ clock: 'ours', ms: NOW_MS }),
    pause: (delayMs) => {
      if (delayMs >= 1_000) allowance = 1;
      return Promise.resolve();
    },
  });
  const step = (await asActivity().run(sendChunk, {
    batchId: 'b',
    chunk: 1,
    digest: 'sha256:d',
    proveLookup: false,
    stopped: null,
    wasCreated: false,
  })) as SendStep;
  return { step, creates: creates.length };
}

const FOUND: MassPayout = {
  id: 'mp-0',
  state: 'COMPLETED',
  withdrawalErrors: [],
  unreadableParts: [],
};

describe('an ambiguous create that a lookup misses, past its fence', () => {
  beforeEach(inDoubt);

  it('is sent again while lookups find other mass payouts that exist', async () => {
    expect(await send({ witness: FOUND })).toEqual({ step: { kind: 'created' }, creates: 1 });
  });

  it('is sent again at a service that takes one request a second', async () => {
    const told = await send({ witness: FOUND, throttles: true });
    expect(told).toEqual({ step: { kind: 'created' }, creates: 1 });
  });

  it('needs an operator when a lookup misses another mass payout that exists', async () => {
    const step = { kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' };
    expect(await send({ witness: refused(404) })).toMatchObject({ step, creates: 0 });
    expect(await store.lookupVerification.find(ACCOUNT, BASE_URL)).toBeUndefined();
  });

  it.each([
    ['is cut off', failed('no-answer')],
    ['is unreadable', failed('unreadable')],
    ['is a server error', refused(500)],
    ['is refused in no documented way', refused(404, false)],
  ])(
    'waits while the lookup verification %s: one bad answer is no disproof',
    async (_what, witness) => {
      const { step, creates } = await send({ witness });
      expect(step).toMatchObject({ kind: 'waiting', inDoubt: true });
      expect(creates).toBe(0);
      expect(await store.lookupVerification.find(ACCOUNT, BASE_URL)).toBeDefined();
    },
  );

  it('is sent again without lookup verification where the settings trust keys alone', async () => {
    const { step, creates } = await send({ witness: refused(404), resend: 'fenced' });
    expect([step, creates]).toEqual([{ kind: 'created' }, 1]);
  });
});
