import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { SENDING_MS_MAX } from '../../../src/domain/sending/fence.ts';
import { type MassPayout, MerchantApiError } from '@bursar/merchant-api';
import type { Store } from '../../../src/store/index.ts';
import type { StagedRows } from '../../../src/store/rows/staging.ts';
import { NO_UNSENT_LIST, type UnsentList } from '../../../src/store/sending/unsent-list.ts';
import { fillDisk } from '../../support/full-disk.ts';
import { planChunks, stagedChunk } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sendAnew } from '../support/send-anew.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const NOW_MS = 1_800_000_000_000;
/** The service of `sendAnew`. */
const BASE_URL = 'http://service';
/** The time that a create has to leave after it was written down, as `sendAnew` sets it. */
const SEND_BUDGET_MS = 10_000;

/** So many that the body of the create takes several pages of the database. */
const ROWS = 300;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planChunks(store, 'b', [stagedChunk(0, ROWS)]);
});
afterEach(() => store.close());

const timestampsMs = async (): Promise<number[]> =>
  (await writableDb(store).selectFrom('attempt').select('timestamp_ms').orderBy('n').execute()).map(
    ({ timestamp_ms }) => timestamp_ms,
  );

const outcomes = async (): Promise<string[]> =>
  (await writableDb(store).selectFrom('attempt').select('outcome').orderBy('n').execute()).map(
    ({ outcome }) => outcome,
  );

describe('a create that cannot be stored', () => {
  it('because the disk is full is not sent, and is sent once there is space again', async () => {
    const makeRoom = await fillDisk(writableDb(store));
    let creates = 0;
    const send = async () => {
      const sent = await sendAnew(store, 'b', {
        nowMs: () => NOW_MS,
        onCreate: () => (creates += 1),
      });
      return sent.step;
    };
    await expect(send()).rejects.toMatchObject({ type: 'STORE_FULL', nonRetryable: false });
    expect([creates, await outcomes()]).toEqual([0, []]);
    const { rows } = await sql<object>`pragma integrity_check`.execute(writableDb(store));
    expect(rows).toEqual([{ integrity_check: 'ok' }]);

    await makeRoom();
    expect(await send()).toEqual({ kind: 'created' });
    expect([creates, await outcomes()]).toEqual([1, ['ACCEPTED']]);
  });
});

describe('the unsent list', () => {
  it('has an attempt from before its commit until its first byte leaves', async () => {
    const events: string[] = [];
    const unsent: UnsentList = {
      ...NO_UNSENT_LIST,
      add() {
        events.push('listed');
        return 'id';
      },
      delete: () => events.push('no more listed'),
    };
    const begin = store.sends.beginAttempt;
    const beginAttempt: typeof begin = async (...attempt) => {
      const start = await begin(...attempt);
      events.push(start);
      return start;
    };
    const watched = { ...store, sends: { ...store.sends, beginAttempt } };
    const onCreate = () => events.push('created');
    await sendAnew(watched, 'b', { nowMs: () => NOW_MS, unsent, onCreate });
    expect(events).toEqual(['listed', 'begun', 'no more listed', 'created']);
  });

  it('loses an attempt that did not begin', async () => {
    const listed = new Set<string>();
    const unsent: UnsentList = {
      ...NO_UNSENT_LIST,
      add() {
        listed.add('id');
        return 'id';
      },
      delete: (id) => listed.delete(id),
    };
    const beginAttempt = () => Promise.resolve('held' as const);
    const held = { ...store, sends: { ...store.sends, beginAttempt } };
    await sendAnew(held, 'b', { nowMs: () => NOW_MS, unsent });
    expect([listed.size, await outcomes()]).toEqual([0, []]);
  });

  it('that cannot be written stops no create', async () => {
    const unsent = { ...NO_UNSENT_LIST, add: () => undefined };
    const { step } = await sendAnew(store, 'b', { nowMs: () => NOW_MS, unsent });
    expect([step, await outcomes()]).toEqual([{ kind: 'created' }, ['ACCEPTED']]);
  });
});

describe('a worker that stands still between writing a create down and sending it', () => {
  it('does not send it when it wakes too late: that attempt is VOID, and the next one is made at once', async () => {
    const times = clockThatStopsAfterAnAttempt(SEND_BUDGET_MS + 1);
    const { step, creates } = await sendAnew(store, 'b', { nowMs: times });
    expect([step, creates, await outcomes()]).toEqual([
      { kind: 'created' },
      1,
      ['VOID', 'ACCEPTED'],
    ]);
  });

  it('sends it when it wakes in time', async () => {
    const times = clockThatStopsAfterAnAttempt(SEND_BUDGET_MS);
    const { step, creates } = await sendAnew(store, 'b', { nowMs: times });
    expect([step, creates, await outcomes()]).toEqual([{ kind: 'created' }, 1, ['ACCEPTED']]);
  });

  it('signs it with the stored time, and not with that of the send', async () => {
    const times = clockThatStopsAfterAnAttempt(SEND_BUDGET_MS);
    const signedMs: unknown[] = [];
    await sendAnew(store, 'b', { nowMs: times, onCreate: (atMs) => void signedMs.push(atMs) });
    expect([signedMs, await timestampsMs()]).toEqual([[NOW_MS], [NOW_MS]]);
  });

  it('does not send it when its clock was set back meanwhile', async () => {
    const times = clockThatStopsAfterAnAttempt(-1);
    const { step, creates } = await sendAnew(store, 'b', { nowMs: times });
    expect([step.kind, creates, await outcomes()]).toEqual(['waiting', 0, ['VOID']]);
    const again = await sendAnew(store, 'b', { nowMs: times });
    expect([again.creates, await outcomes()]).toEqual([1, ['VOID', 'ACCEPTED']]);
  });

  it('sends nothing when it was frozen since it read the facts of its decision, even if they are unchanged', async () => {
    let nowMs = NOW_MS;
    const pace = () => Promise.resolve(void (nowMs += SENDING_MS_MAX + 1));
    const { step, creates } = await sendAnew(store, 'b', { nowMs: () => nowMs, pace });
    expect([step, creates]).toMatchObject([{ kind: 'waiting', delayMs: 0 }, 0]);
    expect(await outcomes()).toEqual([]);
  });
});

it('rows that somebody changes in the store after they were checked are not sent', async () => {
  const sealed: string[] = [];
  const isWhole = async (_batch: unknown, _chunk: unknown, { text }: StagedRows) => {
    sealed.push(text);
    const rows = text.replace('address-2', 'address-x');
    await writableDb(store).updateTable('staged_chunk').set({ rows }).execute();
    return true;
  };
  await sendAnew(store, 'b', { nowMs: () => NOW_MS, seal: { isWhole } });
  const { payload } = await writableDb(store)
    .selectFrom('intent')
    .select('payload')
    .executeTakeFirstOrThrow();
  expect(sealed).toEqual([expect.stringContaining('"address-2"')]);
  expect([payload.includes('"address-2"'), payload.includes('"address-x"')]).toEqual([true, false]);
});

describe('a worker that stood still until a person had answered', () => {
  it.each([
    ['adopted a mass payout', { kind: 'adopt', massPayoutId: 'mp-x', atMs: NOW_MS }],
    ['given the chunk up', { kind: 'abandon', atMs: NOW_MS }],
  ] as const)('does not send a chunk that a person has %s', async (_what, answer) => {
    const { ref } = await doubtfulChunk();
    await store.sends.setNeedsOperator(
      ref,
      { attempts: 1, from: 'SENDING', reason: 'LOOKUP_UNPROVEN' },
      NOW_MS,
    );
    await store.sends.setAnswer(ref, answer);
    const intent = { payload: 'p', payloadSha256: 'sha-p' };
    const second = { n: 2, timestampMs: NOW_MS + 1, bodySha256: 'b', intent };
    expect(await store.sends.beginAttempt(ref, second)).toBe('taken');
  });

  it('drops no other answer than the one that it has read', async () => {
    const { ref } = await doubtfulChunk();
    await store.sends.setNeedsOperator(
      ref,
      { attempts: 1, from: 'SENDING', reason: 'LOOKUP_UNPROVEN' },
      NOW_MS,
    );
    await store.sends.setAnswer(ref, { kind: 'abandon', atMs: NOW_MS });
    await store.sends.clearAdoption(ref, 'mp-x');
    expect((await store.sends.record(ref)).answer).toEqual({ kind: 'abandon', atMs: NOW_MS });
  });

  it('calls nothing unpaid that was given up', async () => {
    const { ref } = await doubtfulChunk();
    await store.sends.setAbandoned(ref, 'given up');
    const decided = { attempts: 1, from: 'SENDING', reason: 'late' } as const;
    expect(await store.sends.setNotSent(ref, decided)).toBe(false);
    expect(await store.sends.setRejected(ref, decided)).toBe(false);
    expect(await store.chunks.get('b', 0)).toMatchObject({
      state: 'ABANDONED',
      defaultOutcome: 'UNKNOWN',
    });
  });

  it('does not write an early state of a mass payout over a later read', async () => {
    const { ref } = await doubtfulChunk();
    const found = { id: 'mp', state: 'COMPLETED', fee: '12.5', differences: [] };
    await store.sends.setPayout(ref, found);
    const end = { n: 1, outcome: 'ACCEPTED', endedMs: NOW_MS + 9 } as const;
    await store.sends.endAttempt(ref, end, { ...found, state: 'CREATION_IN_PROGRESS', fee: null });
    const { massState, fee } = await store.chunks.get('b', 0);
    expect([massState, fee]).toEqual(['COMPLETED', '12.5']);
  });
});

describe('a worker that stands still while it waits for the answer to a lookup', () => {
  it('dates it by the time of its request: the fence has not passed then', async () => {
    const { ref } = await doubtfulChunk();
    const hourMs = 3_600_000;
    let nowMs = NOW_MS + 1_000;
    const onLookup = () => (nowMs = NOW_MS + hourMs);
    const { step, creates } = await sendAnew(store, 'b', { nowMs: () => nowMs, onLookup });
    const { lookups } = await store.sends.record(ref);
    expect(lookups.map(({ atMs }) => atMs - NOW_MS)).toEqual([1_000, hourMs]);
    expect([step.kind, creates]).toEqual(['needs-operator', 0]);
  });
});

describe('a worker that is lost with the answer to a create, before the answer is stored', () => {
  it('leaves it ambiguous: the next worker looks it up, adopts it, and sends nothing', async () => {
    const nowMs = () => NOW_MS;
    const endAttempt = () => Promise.reject(new Error('killed'));
    const lost = { ...store, sends: { ...store.sends, endAttempt } };
    let created = 0;
    await expect(sendAnew(lost, 'b', { nowMs, onCreate: () => (created += 1) })).rejects.toThrow();
    expect([created, await outcomes()]).toEqual([1, ['PENDING']]);

    const found = { id: 'mp', state: 'CONFIRMED', withdrawalErrors: [], unreadableParts: [] };
    const { step, creates } = await sendAnew(store, 'b', { nowMs, found });
    expect([step, creates, await outcomes()]).toEqual([{ kind: 'created' }, 0, ['PENDING']]);
  });
});

describe('an answer to a create of which a part cannot be read', () => {
  const nowMs = () => NOW_MS;
  const whole: MassPayout = {
    id: 'mp',
    state: 'CONFIRMED',
    withdrawalErrors: [],
    unreadableParts: [],
  };
  const odd = (path: string): MassPayout => ({
    ...whole,
    unreadableParts: [{ path, problem: 'is not text' }],
  });

  it.each(['account', 'currency', 'idempotencyKey', 'externalId'])(
    'the %s: the create is ambiguous until a lookup shows it, and nobody is asked',
    async (path) => {
      const first = await sendAnew(store, 'b', { nowMs, created: odd(path) });
      expect([first.step.kind, first.creates, await outcomes()]).toEqual([
        'waiting',
        1,
        ['AMBIGUOUS'],
      ]);
      const later = () => NOW_MS + 3_000;
      const { step, creates } = await sendAnew(store, 'b', { nowMs: later, found: whole });
      expect([step, creates]).toEqual([{ kind: 'created' }, 0]);
    },
  );

  it('the comment: it is accepted', async () => {
    const { step } = await sendAnew(store, 'b', { nowMs, created: odd('comment') });
    expect([step, await outcomes()]).toEqual([{ kind: 'created' }, ['ACCEPTED']]);
  });

  it('the account, in each lookup before the first send: nothing is sent', async () => {
    const { step, creates } = await sendAnew(store, 'b', { nowMs, found: odd('account') });
    expect([step.kind, creates]).toEqual(['waiting', 0]);
  });
});

describe('a worker that looks an accepted create up again, and finds it at once', () => {
  it.each([
    ['after a second measures a lag of a second', 1_000, 1_000],
    ['after 40 seconds keeps the lag that was measured before', 40_000, 5],
  ])('%s', async (_, afterMs, lagMs) => {
    await sendAnew(store, 'b', { nowMs: () => NOW_MS });
    const { account } = await store.batches.facts('b');
    const proof = { operation: 'MASS_GET', lagMs: 5, provenAtMs: NOW_MS } as const;
    await store.lookupVerification.save(account, BASE_URL, proof);
    const found: MassPayout = {
      id: 'mp',
      state: 'CONFIRMED',
      withdrawalErrors: [],
      unreadableParts: [],
    };
    const nowMs = () => NOW_MS + afterMs;
    const { creates } = await sendAnew(store, 'b', { nowMs, found, proveLookup: true });
    const lags = await writableDb(store)
      .selectFrom('lookup_verification')
      .select('lag_ms')
      .execute();
    expect([creates, lags]).toEqual([0, [{ lag_ms: lagMs }]]);
  });
});

describe('a create for which there is no money any more', () => {
  it('keeps the message of the service, and is not sent again', async () => {
    const refused = new MerchantApiError('refused', {
      operation: 'MASS_CREATE',
      httpStatus: 400,
      documented: true,
      errorCode: 'INSUFFICIENT_FUNDS',
    });
    const nowMs = () => NOW_MS;
    const onCreate = () => {
      throw refused;
    };
    const reason = expect.stringContaining('INSUFFICIENT_FUNDS');
    const told = { kind: 'rejected', reason, halt: false };
    const { step, creates } = await sendAnew(store, 'b', { nowMs, onCreate });
    expect([step, creates, await outcomes()]).toEqual([told, 1, ['REJECTED']]);
    expect(await store.chunks.get('b', 0)).toMatchObject({ state: 'REJECTED' });
    const again = await sendAnew(store, 'b', { nowMs });
    expect([again.step, again.creates]).toEqual([told, 0]);
  });
});

/** A chunk of which nobody knows whether its first create arrived. */
async function doubtfulChunk() {
  const { idempotencyKey } = await store.chunks.get('b', 0);
  const ref = { batchId: 'b', chunk: 0, idempotencyKey };
  const intent = { payload: 'p', payloadSha256: 'sha-p' };
  await store.sends.beginAttempt(ref, { n: 1, timestampMs: NOW_MS, bodySha256: 'b', intent });
  await store.sends.endAttempt(ref, { n: 1, outcome: 'AMBIGUOUS', endedMs: NOW_MS });
  return { ref };
}

/** A clock that leaps once, as soon as the first attempt is on record. */
function clockThatStopsAfterAnAttempt(leapMs: number): () => number {
  let isWritten = false;
  const { beginAttempt } = store.sends;
  const sends = {
    ...store.sends,
    beginAttempt: async (...args: Parameters<typeof beginAttempt>) => {
      const start = await beginAttempt(...args);
      isWritten = true;
      return start;
    },
  };
  store = { ...store, sends };
  return () => NOW_MS + (isWritten ? leapMs : 0);
}
