import { describe, expect, it } from '@jest/globals';
import type { ChunkRef, NewAttempt } from '../../../src/store/sending/sends.ts';
import type { Store } from '../../../src/store/index.ts';
import { createdChunk } from '../../support/history-fixtures.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const attempt = (n: number, payload = 'p'): NewAttempt => ({
  n,
  timestampMs: 1_000 + n,
  bodySha256: 'b',
  intent: { payload, payloadSha256: `sha-${payload}` },
});

async function plannedChunk() {
  const store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 2);
  const { idempotencyKey } = await store.chunks.get('b', 0);
  return { store, ref: { batchId: 'b', chunk: 0, idempotencyKey } };
}

describe('an attempt', () => {
  it('is stored, with its payload, before a worker may send it', async () => {
    const { store, ref } = await plannedChunk();
    expect(await store.sends.beginAttempt(ref, attempt(1))).toBe('begun');
    const record = await store.sends.record(ref);
    expect(record.attempts).toEqual([{ n: 1, timestampMs: 1_001, outcome: 'PENDING' }]);
    expect(await store.sends.intent(ref.idempotencyKey)).toEqual(attempt(1).intent);
    expect((await store.chunks.get('b', 0)).state).toBe('SENDING');
    await store.close();
  });

  it('belongs to one worker: a second one that wants the same attempt must not send', async () => {
    const { store, ref } = await plannedChunk();
    const begun = await Promise.all(
      [1, 1, 1].map((n) => store.sends.beginAttempt(ref, attempt(n))),
    );
    expect(begun.filter((start) => start === 'begun')).toHaveLength(1);
    await store.close();
  });

  it('under a key that stands for another content is refused', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    await expect(store.sends.beginAttempt(ref, attempt(2, 'other'))).rejects.toMatchObject({
      code: 'INTENT_MISMATCH',
    });
    expect((await store.sends.record(ref)).attempts).toHaveLength(1);
    await store.close();
  });

  it('of a chunk that was closed meanwhile is refused', async () => {
    const { store, ref } = await plannedChunk();
    await store.chunks.closeUnsent('b', 'canceled');
    expect(await store.sends.beginAttempt(ref, attempt(1))).toBe('taken');
    await store.close();
  });

  it.each<[string, object]>([
    ['whose rows an earlier batch proved to have paid', { resend_block_json: '{}' }],
    ['that has a mass payout', { mass_payout_id: 'mp' }],
    ['that a person gave up', { answer_json: JSON.stringify({ kind: 'abandon', atMs: 1 }) }],
  ])('of a chunk %s is refused', async (_which, set) => {
    const { store, ref } = await plannedChunk();
    await writableDb(store).updateTable('chunk').set(set).where('chunk', '=', 0).execute();
    expect(await store.sends.beginAttempt(ref, attempt(1))).toBe('taken');
    await store.close();
  });

  it('of a canceled batch is refused, before and after its workflow receives the cancel', async () => {
    const { store, ref } = await plannedChunk();
    await store.batches.cancel('b', { by: 'anna', reason: 'wrong file' }, 1_002);
    expect(await store.sends.beginAttempt(ref, attempt(1))).toBe('held');
    expect((await store.sends.record(ref)).attempts).toEqual([]);
    await store.close();
  });

  it('keeps how it ended, together with the mass payout that the answer held', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    const end = { n: 1, outcome: 'ACCEPTED', endedMs: 9, httpStatus: 200, traceId: 't' } as const;
    const payout = { id: 'mp', state: 'CREATION_IN_PROGRESS', fee: '0.1', differences: [] };
    await store.sends.endAttempt(ref, end, payout);
    const record = await store.sends.record(ref);
    expect(record.attempts).toEqual([{ ...end, timestampMs: 1_001 }]);
    expect(record.payout).toEqual({ id: 'mp', differences: [] });
    expect(await store.chunks.get('b', 0)).toMatchObject({
      state: 'CREATED',
      massPayoutId: 'mp',
      massState: 'CREATION_IN_PROGRESS',
      fee: '0.1',
    });
    await store.close();
  });
});

describe('a mass payout that differs from its intent', () => {
  it('is remembered, and does not make the chunk count as created', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    const payout = { id: 'mp', state: 'CONFIRMED', fee: null, differences: ['total is 3, not 2'] };
    await store.sends.recordLookup(ref, { atMs: 5, attempts: 1, result: 'found' }, payout);
    expect((await store.chunks.get('b', 0)).state).toBe('SENDING');
    expect((await store.sends.record(ref)).payout?.differences).toHaveLength(1);
    await store.close();
  });
});

describe('a second mass payout for a chunk whose rows have their outcomes', () => {
  const at = { batchId: 'b', chunk: 0 };
  const second = { id: 'mp-second', state: 'COMPLETED', fee: '7', differences: [] };

  async function endedChunk(rest: 'PAID' | 'FAILED') {
    const { store, ref } = await plannedChunk();
    await createdChunk(store, at, { rest });
    return { store, ref };
  }

  it('takes back the outcomes: both may pay the same rows', async () => {
    const { store, ref } = await endedChunk('PAID');
    const first = (await store.chunks.get('b', 0)).massPayoutId;
    await store.sends.setPayout(ref, second);
    expect(await store.chunks.get('b', 0)).toMatchObject({
      massPayoutId: first,
      otherPayouts: ['mp-second'],
      reopened: 1,
      payoutFingerprint: null,
      massState: 'PARTIAL',
      fee: null,
      final: false,
      defaultOutcome: 'IN_FLIGHT',
    });
    await store.close();
  });

  it('leaves them as the report has them, once the batch has ended', async () => {
    const { store, ref } = await endedChunk('PAID');
    await writableDb(store).updateTable('batch').set({ end_state: 'COMPLETED' }).execute();
    await store.sends.setPayout(ref, second);
    expect(await store.chunks.get('b', 0)).toMatchObject({
      otherPayouts: ['mp-second'],
      reopened: 0,
      final: true,
      defaultOutcome: 'PAID',
    });
    await store.close();
  });

  it('and the first one, read again, change nothing more', async () => {
    const { store, ref } = await endedChunk('PAID');
    const first = (await store.chunks.get('b', 0)).massPayoutId ?? '';
    await store.sends.setPayout(ref, { ...second, id: first });
    expect(await store.chunks.get('b', 0)).toMatchObject({ final: true, fee: '7', reopened: 0 });
    await store.close();
  });
});

describe('a mass payout that is found for a chunk that was reported as not sent', () => {
  const found = { id: 'mp', state: 'COMPLETED', fee: null, differences: [] };

  async function closedChunk(set: object) {
    const { store, ref } = await plannedChunk();
    await store.chunks.closeUnsent('b', 'canceled');
    await writableDb(store).updateTable('chunk').set(set).where('chunk', '=', 0).execute();
    await store.sends.setPayout(ref, found);
    const chunk = await store.chunks.get('b', 0);
    await store.close();
    return chunk;
  }

  it.each(['NOT_SENT', 'FAILED', 'PAID'])('takes %s back', async (outcome) => {
    expect(await closedChunk({ default_outcome: outcome })).toMatchObject({
      state: 'CREATED',
      final: false,
      defaultOutcome: 'IN_FLIGHT',
    });
  });

  it.each(['PAID', 'UNKNOWN'])('keeps %s where the report showed it', async (outcome) => {
    expect(await closedChunk({ default_outcome: outcome, reopened: 1 })).toMatchObject({
      state: 'CREATED',
      final: false,
      defaultOutcome: outcome,
    });
  });

  it('takes back rows that the report showed as unpaid', async () => {
    expect(await closedChunk({ default_outcome: 'FAILED', reopened: 1 })).toMatchObject({
      defaultOutcome: 'IN_FLIGHT',
    });
  });
});

const ABANDON = { kind: 'abandon', atMs: 5 } as const;

describe('the final mark that a chunk was not paid', () => {
  const decided = { attempts: 0, from: 'PLANNED', reason: 'canceled' } as const;

  it('is refused when another worker has sent it since', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    expect(await store.sends.setNotSent(ref, decided)).toBe(false);
    expect(await store.sends.setRejected(ref, decided)).toBe(false);
    expect((await store.chunks.get('b', 0)).state).toBe('SENDING');
    await store.close();
  });

  it('is refused when its mass payout was found since', async () => {
    const { store, ref } = await plannedChunk();
    const payout = { id: 'mp', state: 'CONFIRMED', fee: null, differences: [] };
    await store.sends.recordLookup(ref, { atMs: 1, attempts: 0, result: 'found' }, payout);
    expect(await store.sends.setNotSent(ref, decided)).toBe(false);
    expect((await store.chunks.get('b', 0)).state).toBe('CREATED');
    await store.close();
  });

  it('is refused when an operator was asked since, who may be about to pay in another way', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.setNeedsOperator(ref, { ...decided, reason: 'LOOKUP_FAILING' }, 1);
    expect(await store.sends.setNotSent(ref, decided)).toBe(false);
    expect(await store.sends.setRejected(ref, decided)).toBe(false);
    const asked = { ...decided, from: 'NEEDS_OPERATOR' } as const;
    expect(await store.sends.setNotSent(ref, asked)).toBe(true);
    await store.close();
  });

  it.each([{ kind: 'adopt', massPayoutId: 'mp', atMs: 2 } as const, ABANDON])(
    'is refused when a person has answered otherwise since ($kind)',
    async (answer) => {
      const { store, ref } = await plannedChunk();
      await store.sends.setAnswer(ref, answer);
      const sending = { ...decided, from: 'SENDING' } as const;
      expect(await store.sends.setNotSent(ref, sending)).toBe(false);
      expect(await store.sends.setRejected(ref, sending)).toBe(false);
      expect((await store.sends.record(ref)).answer).toEqual(answer);
      await store.close();
    },
  );

  it('is undone when its mass payout is found', async () => {
    const { store, ref } = await plannedChunk();
    expect(await store.sends.setNotSent(ref, decided)).toBe(true);
    await store.sends.setPayout(ref, { id: 'mp', state: 'CONFIRMED', fee: null, differences: [] });
    expect(await store.chunks.get('b', 0)).toMatchObject({
      state: 'CREATED',
      defaultOutcome: 'IN_FLIGHT',
      final: false,
    });
    await store.close();
  });
});

describe('a mass payout', () => {
  it('never stands for two chunks', async () => {
    const { store, ref } = await plannedChunk();
    const payout = { id: 'mp', state: 'CONFIRMED', fee: null, differences: [] };
    await store.sends.setPayout(ref, payout);
    const { idempotencyKey } = await store.chunks.get('b', 1);
    const other = { batchId: 'b', chunk: 1, idempotencyKey };
    await store.sends.setPayout(other, payout);
    expect((await store.chunks.get('b', 1)).state).toBe('PLANNED');
    expect((await store.sends.record(other)).payout?.differences).toEqual([
      'it already stands for chunk 0 of b',
    ]);
    await store.close();
  });

  it('that differs is not sent again by a worker that comes back late', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.setPayout(ref, { id: 'mp', state: 'X', fee: null, differences: ['total'] });
    expect(await store.sends.beginAttempt(ref, attempt(1))).toBe('taken');
    await store.close();
  });
});

describe('a final verdict', () => {
  it('is not replaced by an older read of a slower worker', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.setPayout(ref, { id: 'mp', state: 'CONFIRMED', fee: null, differences: [] });
    const base = {
      rows: [],
      fee: null,
      unclearSinceMs: null,
      keepsLookups: false,
      payoutFingerprint: null,
      reopened: 0,
    };
    const paid = { outcome: 'PAID', reason: '' } as const;
    const open = { outcome: 'IN_FLIGHT', reason: '' } as const;
    await store.settlements.save(ref, {
      ...base,
      massPayoutState: 'COMPLETED',
      final: true,
      defaultOutcome: paid,
    });
    await store.settlements.save(ref, {
      ...base,
      massPayoutState: 'IN_PROGRESS',
      final: false,
      defaultOutcome: open,
    });
    expect(await store.chunks.get('b', 0)).toMatchObject({
      massState: 'COMPLETED',
      final: true,
      defaultOutcome: 'PAID',
    });
    await store.close();
  });
});

describe('closing unsent chunks', () => {
  it('touches only chunks without a create that left', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    await store.chunks.closeUnsent('b', 'canceled by anna: wrong file');
    const [sending, unsent] = await store.chunks.list('b');
    expect(sending?.state).toBe('SENDING');
    expect(unsent).toMatchObject({
      state: 'NOT_SENT',
      defaultOutcome: 'NOT_SENT',
      defaultReason: 'canceled by anna: wrong file',
      final: true,
    });
    await store.close();
  });
});

describe("an operator's answer", () => {
  const NOT_CREATED = { kind: 'not-created', attempts: 1, atMs: 5 } as const;

  async function waitingChunk() {
    const made = await plannedChunk();
    await made.store.sends.beginAttempt(made.ref, attempt(1));
    await made.store.sends.setNeedsOperator(
      made.ref,
      { attempts: 1, from: 'SENDING', reason: 'LOOKUP_UNPROVEN' },
      1,
    );
    return made;
  }

  it('is one of two opposite ones that are given at the same time: the other is refused', async () => {
    const { store, ref } = await waitingChunk();
    const both = await Promise.allSettled([
      store.sends.setAnswer(ref, NOT_CREATED),
      store.sends.setAnswer(ref, ABANDON),
    ]);
    const kept = (await store.sends.record(ref)).answer;
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CHUNK_NOT_WAITING' },
    });
    expect(kept).toEqual(both[0]?.status === 'fulfilled' ? NOT_CREATED : ABANDON);
    await store.close();
  });

  it('may be given twice with the same content: a worker may have died after the first', async () => {
    const { store, ref } = await waitingChunk();
    await store.sends.setAnswer(ref, ABANDON);
    await store.sends.setAnswer(ref, { ...ABANDON, atMs: 9 });
    expect((await store.sends.record(ref)).answer).toEqual(ABANDON);
    await store.close();
  });

  it('to adopt a mass payout is the same only for that mass payout', async () => {
    const adopt = (massPayoutId: string) => ({ kind: 'adopt', massPayoutId, atMs: 5 }) as const;
    const { store, ref } = await waitingChunk();
    await store.sends.setAnswer(ref, adopt('a'));
    await store.sends.setAnswer(ref, adopt('a'));
    for (const other of [adopt('b'), ABANDON]) {
      await expect(store.sends.setAnswer(ref, other)).rejects.toMatchObject({
        code: 'CHUNK_NOT_WAITING',
      });
    }
    await store.sends.clearAdoption(ref, 'b');
    expect((await store.sends.record(ref)).answer).toEqual(adopt('a'));
    await store.sends.clearAdoption(ref, 'a');
    expect((await store.sends.record(ref)).answer).toBeUndefined();
    await store.close();
  });

  it('to give up stays, when an adoption is dropped', async () => {
    const { store, ref } = await waitingChunk();
    await store.sends.setAnswer(ref, ABANDON);
    await expect(
      store.sends.setAnswer(ref, { kind: 'adopt', massPayoutId: 'a', atMs: 5 }),
    ).rejects.toMatchObject({ code: 'CHUNK_NOT_WAITING' });
    await store.sends.clearAdoption(ref, 'a');
    expect((await store.sends.record(ref)).answer).toEqual(ABANDON);
    await store.close();
  });

  it('that nothing was created does not count for a send that a worker began since the question', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    const woken = { outcome: 'VOID', endedMs: 3 } as const;
    await store.sends.endAttempt(ref, { n: 1, ...woken });
    await store.sends.beginAttempt(ref, attempt(2));
    await store.sends.setAnswer(ref, { ...NOT_CREATED, attempts: 2 });
    expect((await store.sends.record(ref)).answer).toEqual({ ...NOT_CREATED, attempts: 0 });
    await store.sends.setNeedsOperator(
      ref,
      { attempts: 2, from: 'SENDING', reason: 'LOOKUP_UNPROVEN' },
      6,
    );
    await store.sends.setAnswer(ref, { ...NOT_CREATED, attempts: 2 });
    expect((await store.sends.record(ref)).answer).toEqual({ ...NOT_CREATED, attempts: 2 });
    await store.close();
  });

  it('is waited for by a frozen worker that would send: the operator may be about to pay in another way', async () => {
    const { store, ref } = await waitingChunk();
    expect(await store.sends.beginAttempt(ref, attempt(2))).toBe('taken');
    await store.sends.setAnswer(ref, NOT_CREATED);
    expect(await store.sends.beginAttempt(ref, attempt(2))).toBe('begun');
    await store.close();
  });

  it('is requested only while no worker has sent since that decision', async () => {
    const { store, ref } = await plannedChunk();
    await store.sends.beginAttempt(ref, attempt(1));
    const late = { attempts: 0, from: 'SENDING', reason: 'LOOKUP_FAILING' } as const;
    expect(await store.sends.setNeedsOperator(ref, late, 1)).toBe(false);
    expect((await store.chunks.get(ref.batchId, ref.chunk)).state).toBe('SENDING');
    await store.close();
  });

  it('is not requested by a worker that decided before it was given', async () => {
    const { store, ref } = await waitingChunk();
    await store.sends.setAnswer(ref, NOT_CREATED);
    const late = { attempts: 1, from: 'NEEDS_OPERATOR', reason: 'LOOKUP_UNPROVEN' } as const;
    expect(await store.sends.setNeedsOperator(ref, late, 6)).toBe(false);
    expect((await store.chunks.get(ref.batchId, ref.chunk)).state).toBe('SENDING');
    await store.close();
  });

  it('may be another one once the chunk waits for an operator again', async () => {
    const { store, ref } = await waitingChunk();
    await store.sends.setAnswer(ref, NOT_CREATED);
    await store.sends.setNeedsOperator(
      ref,
      { attempts: 1, from: 'SENDING', reason: 'ATTEMPTS_USED_UP' },
      6,
    );
    await store.sends.setAnswer(ref, ABANDON);
    expect((await store.sends.record(ref)).answer).toEqual(ABANDON);
    await store.close();
  });

  it.each([
    [
      'was closed',
      (store: Store, ref: ChunkRef) =>
        store.sends.setNotSent(ref, { attempts: 1, from: 'NEEDS_OPERATOR', reason: 'x' }),
    ],
    [
      'was refused',
      (store: Store, ref: ChunkRef) =>
        store.sends.setRejected(ref, { attempts: 1, from: 'NEEDS_OPERATOR', reason: 'x' }),
    ],
    ['was given up', (store: Store, ref: ChunkRef) => store.sends.setAbandoned(ref, 'x')],
    [
      'was created',
      (store: Store, ref: ChunkRef) =>
        store.sends.setPayout(ref, { id: 'mp', state: 'X', fee: null, differences: [] }),
    ],
  ])('is refused for a chunk that %s meanwhile', async (_what, change) => {
    const { store, ref } = await waitingChunk();
    await change(store, ref);
    await expect(store.sends.setAnswer(ref, NOT_CREATED)).rejects.toMatchObject({
      code: 'CHUNK_NOT_WAITING',
    });
    expect((await store.sends.record(ref)).answer).toBeUndefined();
    await store.close();
  });
});
