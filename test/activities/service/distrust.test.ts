import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findOtherPayouts } from '../../../src/activities/settle/find-other-payouts.ts';
import { createSendActivities } from '../../../src/activities/send/send-activities.ts';
import { verifyLookupAgain } from '../../../src/activities/service/verify-lookups.ts';
import { checkLookups } from '../../../src/doctor/store-checks.ts';
import type { SendStep } from '../../../src/contract/sending.ts';
import type { NotifiableEvent } from '../../../src/domain/notify/events.ts';
import { HITS_MIN, MISSES_MIN } from '../../../src/domain/sending/evidence.ts';
import type { MassPayout, Reference } from '@bursar/merchant-api';
import type { LookupOperation } from '../../../src/store/sending/lookup-verification.ts';
import type { ClockReading } from '../../../src/domain/sending/send-record.ts';
import type { Store } from '../../../src/store/index.ts';
import { answer, failed, fakeService, refused } from '../../support/fake-service.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { plainSendDeps } from '../support/send-deps.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const BASE_URL = 'http://service';
const NOW_MS = 1_800_000_000_000;
/** When the attempt in doubt was signed: its fence has passed. */
const LONG_AGO_MS = NOW_MS - 600_000;
/** The hash of `{}`. */
const SHA256_OF_PAYLOAD = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

let store: Store;
let news: NotifiableEvent[];
let asked: { operation: LookupOperation; chunk: number; isFresh: boolean }[];
let creates: number;
/** Milliseconds that were waited between lookups. */
let waitedMs: number;
let keys: readonly string[];

beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 2);
  const options = JSON.stringify({ rowTag: 'off', executionDate: null });
  await writableDb(store).updateTable('batch').set({ options_json: options }).execute();
  keys = (await store.chunks.list('b')).map(({ idempotencyKey }) => idempotencyKey);
  news = [];
  asked = [];
  creates = 0;
  waitedMs = 0;
  await created();
});
afterEach(() => store.close());

const refOf = (chunk: number) => ({ batchId: 'b', chunk, idempotencyKey: keys[chunk] ?? '' });
const payout = (id: string): MassPayout => ({
  id,
  state: 'CONFIRMED',
  withdrawalErrors: [],
  unreadableParts: [],
});
const found = (id: string, atMs = NOW_MS) => ({ ...answer(payout(id)), timestampMs: atMs });
const noteFound = (operation: LookupOperation) =>
  store.lookupVerification.noteAnswer(ACCOUNT, BASE_URL, {
    operation,
    hasFound: true,
    atMs: LONG_AGO_MS,
  });

/** Chunk 0 was created long ago, and found by its key. */
async function created(): Promise<void> {
  await begun(0);
  const end = { n: 1, endedMs: LONG_AGO_MS + 1, outcome: 'ACCEPTED' } as const;
  await store.sends.endAttempt(refOf(0), end, { ...payout('mp-0'), fee: null, differences: [] });
  const proof = { operation: 'MASS_GET', lagMs: 0, provenAtMs: LONG_AGO_MS } as const;
  await store.lookupVerification.save(ACCOUNT, BASE_URL, proof);
}

async function begun(chunk: number, n = 1, begunAt?: ClockReading): Promise<void> {
  const intent = { payload: '{}', payloadSha256: SHA256_OF_PAYLOAD };
  const reading = begunAt === undefined ? {} : { begun: begunAt };
  const attempt = { n, timestampMs: LONG_AGO_MS, ...reading, bodySha256: 'b', intent };
  await store.sends.beginAttempt(refOf(chunk), attempt);
}

/** Chunk 1 may have been created; so many lookups beyond its fence have missed it. */
async function doubtful(misses = MISSES_MIN - 1): Promise<void> {
  await begun(1);
  await store.sends.endAttempt(refOf(1), { n: 1, endedMs: LONG_AGO_MS + 1, outcome: 'AMBIGUOUS' });
  for (let i = 0; i < misses; i += 1) {
    const atMs = NOW_MS - (MISSES_MIN - i) * 5_000;
    const time = { asked: { clock: 'ours', ms: atMs }, elapsedMs: atMs - LONG_AGO_MS };
    const lookup = { atMs, attempts: 1, result: 'missed', ...time } as const;
    await store.sends.recordLookup(refOf(1), lookup);
  }
}

type Told = MassPayout | Error;
type Answers = Readonly<Partial<Record<LookupOperation, (chunk: number, times: number) => Told>>>;

const missed = refused(404);

/** A service whose lookups answer as told; an operation that is left out is not there. */
function service(answers: Answers) {
  const times = new Map<string, number>();
  const ask = (
    operation: LookupOperation,
    reference: Reference,
    options?: { connection?: string },
  ) => {
    const key = 'idempotencyKey' in reference ? reference.idempotencyKey : '';
    const chunk = keys.indexOf(key);
    const name = `${operation} ${chunk}`;
    times.set(name, (times.get(name) ?? 0) + 1);
    asked.push({ operation, chunk, isFresh: options?.connection === 'fresh' });
    const told = answers[operation]?.(chunk, times.get(name) ?? 0) ?? missed;
    if (told instanceof Error) throw told;
    return told;
  };
  const lacks = (['MASS_GET', 'LOOKUP'] as const).filter((one) => answers[one] === undefined);
  return fakeService(
    {
      readMassPayout: async (reference, options) => {
        const told = ask('MASS_GET', reference, options);
        return { ...answer(told), timestampMs: NOW_MS };
      },
      lookup: async (reference, options) => {
        const told = ask('LOOKUP', reference, options);
        return { ...answer({ kind: 'massPayout' as const, ...told }), timestampMs: NOW_MS };
      },
      createMassPayout: () => {
        creates += 1;
        return Promise.resolve(found('mp-new'));
      },
    },
    lacks,
  );
}

async function send(answers: Answers, chunk = 1, proveLookup = false): Promise<SendStep> {
  const { sendChunk } = createSendActivities({
    store,
    service: service(answers),
    ...plainSendDeps(() => NOW_MS),
    pause: (delayMs) => {
      waitedMs += delayMs;
      return Promise.resolve();
    },
    notify: (told) => Promise.resolve(void news.push(told)),
  });
  const input = { batchId: 'b', chunk, digest: 'sha256:d', proveLookup };
  const step = await asActivity().run(sendChunk, { ...input, stopped: null, wasCreated: false });
  return step as SendStep;
}

const disproof = async () => (await store.lookupVerification.trust(ACCOUNT, BASE_URL)).disproof;
const holds = async () => (await store.holds.open('b')).map(({ kind, reason }) => [kind, reason]);

/** Lookups are not believed any more; the batch is held, and people are told which rows it is about. */
async function expectDistrust(reason: string, chunk = 1): Promise<void> {
  expect(await disproof()).toMatchObject({ batchId: 'b', chunk, reason });
  const text = expect.stringContaining(`lookups cannot be relied on: chunk ${chunk} of b`);
  expect(await holds()).toEqual([['PAUSE', text]]);
  const { firstRow, lastRow } = await store.chunks.get('b', chunk);
  expect(news).toMatchObject([
    { event: 'batch.needs_operator', data: { why: text, rows: [`${firstRow}-${lastRow}`] } },
  ]);
  const trust = await store.lookupVerification.trust(ACCOUNT, BASE_URL);
  expect(trust.verified).toBeUndefined();
}

const witness = (chunk: number): Told => (chunk === 0 ? payout('mp-0') : missed);

it('a create that is visible after seconds keeps the proof, though answers break meanwhile', async () => {
  const proven = async () =>
    (await store.lookupVerification.trust(ACCOUNT, BASE_URL)).verified !== undefined;
  const shownAfter = (questions: number) => {
    let count = 0;
    return (chunk: number): Told => {
      if (chunk !== 1) return payout(`mp-${chunk}`);
      if (creates === 0) return missed;
      count += 1;
      if (count > questions) return payout('mp-new');
      return count <= 3 ? missed : failed('unreadable');
    };
  };
  await send({ MASS_GET: shownAfter(18) }, 1, true);
  expect([creates, await proven()]).toEqual([1, true]);
});

describe('a second create', () => {
  beforeEach(() => doubtful());

  it('is sent when every operation misses on its own connection, and finds another mass payout that exists', async () => {
    await noteFound('LOOKUP');
    expect(await send({ MASS_GET: witness, LOOKUP: witness })).toEqual({ kind: 'created' });
    expect(creates).toBe(1);
    const { verified } = await store.lookupVerification.trust(ACCOUNT, BASE_URL);
    expect(verified).toMatchObject({ provenAtMs: NOW_MS });
    expect(asked.every(({ isFresh }) => isFresh)).toBe(true);
    const ofWitness = asked.filter(({ chunk }) => chunk === 0);
    expect(ofWitness).toHaveLength(2 * HITS_MIN);
    expect(asked.filter(({ chunk }) => chunk === 1).map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['MASS_GET', 'LOOKUP']),
    );
  });

  it('rests on the other operation where the path of one is not served and every question gets a documented 404', async () => {
    expect(await send({ MASS_GET: witness, LOOKUP: () => missed })).toEqual({ kind: 'created' });
    const ofWitness = asked.filter(({ chunk }) => chunk === 0);
    expect(new Set(ofWitness.map(({ operation }) => operation))).toEqual(new Set(['MASS_GET']));
  });

  it('is not sent when the path that proved lookups is not served any more', async () => {
    const { kind } = await send({ MASS_GET: () => missed, LOOKUP: () => missed });
    expect(kind).not.toBe('created');
    expect(creates).toBe(0);
  });

  it('is not sent while an operation that has worked gives no answer, though another one misses', async () => {
    await noteFound('LOOKUP');
    const LOOKUP = (chunk: number): Told => (chunk === 0 ? payout('mp-0') : failed('unreadable'));
    expect(await send({ MASS_GET: witness, LOOKUP })).toMatchObject({ kind: 'waiting' });
    expect([creates, await disproof()]).toEqual([0, undefined]);
  });

  it('is not sent when another operation finds the first: its mass payout is adopted, and the misses disprove lookups', async () => {
    const LOOKUP = () => payout('mp-1');
    expect(await send({ MASS_GET: witness, LOOKUP })).toEqual({ kind: 'created' });
    expect(creates).toBe(0);
    await expectDistrust('FOUND_AFTER_MISS');
    const [check] = await checkLookups(store, { account: ACCOUNT, baseUrl: BASE_URL });
    expect(check).toMatchObject({ result: 'warn', says: expect.stringContaining('chunk 1 of b') });
  });

  it('is not sent by lookups that now and then miss a mass payout that exists', async () => {
    const MASS_GET = (chunk: number, times: number): Told =>
      chunk === 0 && times % 3 !== 0 ? payout('mp-0') : missed;
    const step = await send({ MASS_GET });
    expect([step.kind, creates]).toEqual(['waiting', 0]);
    await expectDistrust('FOUND_AFTER_MISS', 0);
    expect(await send({ MASS_GET: witness })).toMatchObject({
      kind: 'needs-operator',
      reason: 'LOOKUP_DISPROVEN',
    });
    expect(creates).toBe(0);
  });

  it.each([
    [100, 200],
    [2, 600],
  ])(
    'is sent when another accepted mass payout becomes visible later: with a known lag of %d ms, after %d ms',
    async (lagMs, shownAfterMs) => {
      const signed = { timestamp_ms: NOW_MS - 1_000 };
      const young = writableDb(store).updateTable('attempt').set(signed);
      await young.where('idempotency_key', '=', keys[0] ?? '').execute();
      const proof = { operation: 'MASS_GET', lagMs, provenAtMs: NOW_MS } as const;
      await store.lookupVerification.save(ACCOUNT, BASE_URL, proof);
      let shownAtMs = Number.POSITIVE_INFINITY;
      const MASS_GET = (chunk: number): Told => {
        if (chunk !== 0) return missed;
        shownAtMs = Math.min(shownAtMs, waitedMs + shownAfterMs);
        return waitedMs < shownAtMs ? missed : payout('mp-0');
      };
      expect([await send({ MASS_GET }), creates]).toEqual([{ kind: 'created' }, 1]);
      expect(await disproof()).toBeUndefined();
    },
  );

  it('is not kept back by a process that was frozen between a miss and the find of what was created a second before', async () => {
    const signed = { timestamp_ms: NOW_MS - 1_000 };
    const young = writableDb(store).updateTable('attempt').set(signed);
    await young.where('idempotency_key', '=', keys[0] ?? '').execute();
    let nowMs = NOW_MS;
    const deps = {
      store,
      service: service({ MASS_GET: (_, times) => (times === 1 ? missed : payout('mp-0')) }),
      nowMs: () => nowMs,
      pause: () => Promise.resolve(void (nowMs += 3_600_000)),
    };
    const again = {
      batch: { account: ACCOUNT },
      ref: refOf(1),
      trust: await store.lookupVerification.trust(ACCOUNT, BASE_URL),
      isOld: (signedAtMs: number) => nowMs - signedAtMs > 600_000,
    };
    expect(await verifyLookupAgain(deps, again)).toEqual({ result: 'found', atMs: NOW_MS });
  });

  it('is not sent when two operations return two mass payouts for one that exists', async () => {
    await noteFound('LOOKUP');
    const LOOKUP = (chunk: number): Told => (chunk === 0 ? payout('mp-other') : missed);
    expect((await send({ MASS_GET: witness, LOOKUP })).kind).toBe('waiting');
    await expectDistrust('TWO_PAYOUTS', 0);
    expect(creates).toBe(0);
  });
});

describe('a second mass payout for one chunk', () => {
  const second = { ...payout('mp-second'), fee: null, differences: [] };

  it('never replaces the first: a person decides, and rows are named', async () => {
    await store.sends.setPayout(refOf(0), second);
    expect(await store.chunks.get('b', 0)).toMatchObject({
      massPayoutId: 'mp-0',
      otherPayouts: ['mp-second'],
      differs: true,
    });
    const step = await send({ MASS_GET: witness }, 0);
    expect(step).toEqual({ kind: 'needs-operator', reason: 'TWO_PAYOUTS' });
    await expectDistrust('TWO_PAYOUTS', 0);
  });

  it('is notified once, and its hold stays lifted once a person has lifted it', async () => {
    await store.sends.setPayout(refOf(0), second);
    await send({ MASS_GET: witness }, 0);
    const [hold] = await store.holds.open('b');
    const off = { batchId: 'b', n: hold?.n ?? 0, by: 'mira', reason: 'looked', atMs: NOW_MS };
    await store.holds.lift(off);
    expect((await send({ MASS_GET: witness }, 0)).kind).toBe('needs-operator');
    expect([await holds(), news.length]).toEqual([[], 1]);
  });

  it('comes with a late answer after the rows had outcomes: the chunk is reopened', async () => {
    const at = { batchId: 'b', chunk: 0 };
    await store.settlements.save(at, {
      massPayoutState: 'COMPLETED',
      final: true,
      defaultOutcome: { outcome: 'PAID', reason: '' },
      rows: [],
      fee: null,
      unclearSinceMs: null,
      keepsLookups: false,
      payoutFingerprint: null,
      reopened: 0,
    });
    const end = { n: 1, endedMs: NOW_MS, outcome: 'ACCEPTED' } as const;
    await store.sends.endAttempt(refOf(0), end, second);
    expect(await store.chunks.get('b', 0)).toMatchObject({
      final: false,
      defaultOutcome: 'IN_FLIGHT',
      differs: true,
      massPayoutId: 'mp-0',
    });
  });

  it('is adopted by a person, and the other one stays stored', async () => {
    await store.sends.setPayout(refOf(0), second);
    await send({ MASS_GET: witness }, 0);
    const answered = { kind: 'adopt', massPayoutId: 'mp-second', atMs: NOW_MS } as const;
    await store.sends.setAnswer(refOf(0), answered);
    await store.sends.setPayout(refOf(0), second);
    expect(await store.chunks.get('b', 0)).toMatchObject({
      state: 'CREATED',
      massPayoutId: 'mp-second',
      otherPayouts: ['mp-0'],
      differs: false,
    });
    expect((await store.chunks.withOtherPayouts('b')).map(({ chunk }) => chunk)).toEqual([0]);
  });
});

describe('before the rows of a chunk get their outcome of which a second create left', () => {
  type Time = Readonly<{ nowMs?: number; steadyMs?: number; resend?: 'auto' | 'fenced' }>;
  const look = async (
    answers: Answers,
    { nowMs = NOW_MS, steadyMs = NOW_MS, resend = 'auto' }: Time = {},
  ) => {
    const batch = await store.batches.facts('b');
    const chunk = await store.chunks.get('b', 1);
    const open = { at: { batchId: 'b', chunk: 1 }, batch, chunk };
    const deps = {
      store,
      service: service(answers),
      nowMs: () => nowMs,
      fence: { timestampWindowMs: 180_000, fenceMarginMs: 60_000, resend },
      readClock: () => ({ clock: 'ours', ms: steadyMs }),
      pause: () => Promise.resolve(),
      notify: (told: NotifiableEvent) => Promise.resolve(void news.push(told)),
    };
    return findOtherPayouts(deps, open);
  };

  async function twice(begunAt?: ClockReading): Promise<void> {
    await doubtful(0);
    await begun(1, 2, begunAt);
    const end = { n: 2, endedMs: NOW_MS, outcome: 'ACCEPTED' } as const;
    await store.sends.endAttempt(refOf(1), end, { ...payout('mp-1'), fee: null, differences: [] });
  }

  it('two fences are waited for: the first create may be accepted late', async () => {
    await twice();
    const { attempts } = await store.sends.record(refOf(1));
    const dueMs = (attempts.at(-1)?.timestampMs ?? 0) + 480_000;
    const MASS_GET = () => payout('mp-first');
    expect(await look({ MASS_GET }, { nowMs: dueMs - 1 })).toBe('early');
    expect(asked).toEqual([]);
    expect(await look({ MASS_GET }, { nowMs: dueMs })).toBe('others');
  });

  it('two fences are waited for by the steady clock too: a wall clock can be set', async () => {
    const begunAtMs = NOW_MS - 480_000;
    await twice({ clock: 'ours', ms: begunAtMs });
    const MASS_GET = () => payout('mp-first');
    const tooSoon = { nowMs: NOW_MS, steadyMs: begunAtMs + 479_999 };
    expect([await look({ MASS_GET }, tooSoon), asked]).toEqual(['early', []]);
    expect(await look({ MASS_GET }, { steadyMs: begunAtMs + 480_000 })).toBe('others');
  });

  it('a lookup that misses one mass payout would miss another one too: a person decides, and rows are named', async () => {
    await twice();
    await noteFound('MASS_GET');
    const MASS_GET = (_chunk: number, times: number) => (times === 3 ? missed : payout('mp-1'));
    expect(await look({ MASS_GET })).toBe('others');
    await expectDistrust('FOUND_AFTER_MISS');
    expect(await store.chunks.get('b', 1)).toMatchObject({ state: 'CREATED', differs: true });
    expect(await send({ MASS_GET })).toEqual({
      kind: 'needs-operator',
      reason: 'SECOND_PAYOUT_POSSIBLE',
    });
  });

  it('lookups are made although their verification was lost meanwhile', async () => {
    await twice();
    await noteFound('MASS_GET');
    await store.lookupVerification.forget(ACCOUNT, BASE_URL, 'MASS_GET');
    expect(await look({ MASS_GET: () => missed })).toBe('others');
    expect(await store.chunks.get('b', 1)).toMatchObject({ differs: true });
  });

  it('lookups that never find a key prove nothing, and hold nothing, where a person decided or keys are relied on', async () => {
    await twice();
    await noteFound('MASS_GET');
    expect(await look({ MASS_GET: () => missed }, { resend: 'fenced' })).toBe('alone');
    const cleared = JSON.stringify({ kind: 'not-created', attempts: 1, atMs: NOW_MS });
    const answered = writableDb(store).updateTable('chunk').set({ answer_json: cleared });
    await answered.where('idempotency_key', '=', keys[1] ?? '').execute();
    expect(await look({ MASS_GET: () => missed })).toBe('alone');
    expect([await holds(), await disproof()]).toEqual([[], undefined]);
  });

  it('its key is looked up again: a second mass payout needs an operator', async () => {
    await twice();
    const MASS_GET = (_chunk: number, times: number) => payout(times < 3 ? 'mp-1' : 'mp-first');
    expect(await look({ MASS_GET })).toBe('others');
    expect((await store.chunks.get('b', 1)).otherPayouts).toEqual(['mp-first']);
  });

  it('nothing is decided without answers', async () => {
    await twice();
    expect(await look({ MASS_GET: () => failed('no-answer') })).toBe('unanswered');
    expect(await look({ MASS_GET: () => payout('mp-1') })).toBe('alone');
  });

  it('a chunk with one create is not looked up', async () => {
    await doubtful(0);
    expect([await look({ MASS_GET: () => payout('mp-x') }), asked]).toEqual(['alone', []]);
  });
});

describe('a proof that was lost', () => {
  it('is made again by the next create that a lookup finds, of any chunk', async () => {
    await store.lookupVerification.forget(ACCOUNT, BASE_URL, 'MASS_GET');
    const MASS_GET = (_chunk: number, times: number): Told =>
      times === 1 ? missed : payout('mp-new');
    expect(await send({ MASS_GET })).toEqual({ kind: 'created' });
    expect(await store.lookupVerification.find(ACCOUNT, BASE_URL)).toMatchObject({
      operation: 'MASS_GET',
    });
  });

  it('takes back the question about a chunk that only lacked the proof, and lets it go on', async () => {
    await doubtful();
    await store.lookupVerification.forget(ACCOUNT, BASE_URL);
    const asking = await send({ MASS_GET: witness });
    expect(asking).toMatchObject({ kind: 'needs-operator', lookAgainMs: 60_000 });
    expect((await store.sends.state(refOf(1))).reason).toBe('LOOKUP_UNPROVEN');
    expect((await send({ MASS_GET: witness })).kind).toBe('needs-operator');
    const proof = { operation: 'MASS_GET', lagMs: 0, provenAtMs: NOW_MS } as const;
    await store.lookupVerification.save(ACCOUNT, BASE_URL, proof);
    expect([await send({ MASS_GET: witness }), creates]).toEqual([{ kind: 'created' }, 1]);
    const entries = await store.audit.list({ batchId: 'b', limit: 100 });
    expect(entries.map(({ action }) => action)).toContain('withdraw-question');
  });
});
