import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { VerifiedBy } from '../../../src/domain/sending/reduce.ts';
import type { Store } from '../../../src/store/index.ts';
import { ACCOUNT, newBatch, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BASE_URL = 'https://pay';
const AT_MS = 1_800_000_000_000;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 2);
  await store.batches.release('b', AT_MS);
});
afterEach(() => store.close());

const refOf = async (chunk = 0) => {
  const { idempotencyKey } = await store.chunks.get('b', chunk);
  return { batchId: 'b', chunk, idempotencyKey };
};
const stateOf = async (chunk = 0) => (await store.chunks.get('b', chunk)).state;
const verificationOf = async (chunk = 0) =>
  (await store.sends.state(await refOf(chunk))).verification;
const begin = async (chunk = 0, n = 1) => {
  const intent = { payload: 'p', payloadSha256: `sha-${chunk}` };
  return store.sends.beginAttempt(await refOf(chunk), {
    n,
    timestampMs: n,
    bodySha256: 'b',
    intent,
  });
};
const restore = () => store.restores.raise({ atMs: AT_MS, reason: 'as mira said' });
const verify = async (epoch: number, more: Readonly<{ chunk?: number; by?: VerifiedBy }> = {}) => {
  const { chunk = 0, by = 'lookups' } = more;
  const { record, state: from } = await store.sends.state(await refOf(chunk));
  const attempts = record.attempts.length;
  const where = { account: ACCOUNT, baseUrl: BASE_URL };
  return store.restores.verify(await refOf(chunk), {
    epoch,
    by,
    attempts,
    from,
    ...where,
    atMs: AT_MS,
  });
};
const unpaid = { attempts: 0, from: 'PLANNED', reason: 'x' } as const;

describe('until a chunk of a restored store is verified', () => {
  it.each([
    ['no attempt begins', async () => (await begin()) === 'unverified'],
    ['it is not closed', async () => !(await store.sends.setNotSent(await refOf(), unpaid))],
    ['it is not refused', async () => !(await store.sends.setRejected(await refOf(), unpaid))],
    [
      'it is not closed with the rest of its batch',
      async () => {
        await store.chunks.closeUnsent('b', 'x');
        return (await stateOf()) === 'PLANNED';
      },
    ],
    [
      'it is not closed for rows that were paid elsewhere',
      async () => {
        await store.chunks.block({ batchId: 'b', chunk: 0 }, { batchId: 'a', rows: [2], atMs: 1 });
        return (await stateOf()) === 'PLANNED';
      },
    ],
  ])('%s', async (_what, isKept) => {
    const epoch = await restore();
    expect(await isKept()).toBe(true);
    // Whatever the copy says of an earlier one.
    expect(await verify(epoch - 1)).toBe(false);
    expect(await isKept()).toBe(true);
  });

  it('its batch neither ends nor is refused, for any reason', async () => {
    const epoch = await restore();
    const end = () => store.batches.end('b', { state: 'REJECTED', atMs: AT_MS, error: null });
    await expect(end()).rejects.toMatchObject({ code: 'BATCH_MAY_HAVE_BEGUN' });
    await verify(epoch);
    await expect(end()).rejects.toMatchObject({ code: 'BATCH_MAY_HAVE_BEGUN' });
    await verify(epoch, { chunk: 1 });
    await end();
    expect((await store.batches.find('b'))?.endState).toBe('REJECTED');
  });

  it('a batch that has no chunks yet is not refused, unless it is certainly new', async () => {
    await store.batches.register(newBatch('empty'));
    const epoch = await restore();
    const end = () => store.batches.end('empty', { state: 'REJECTED', atMs: AT_MS, error: null });
    await expect(end()).rejects.toMatchObject({ code: 'BATCH_MAY_HAVE_BEGUN' });
    await store.restores.note('empty', epoch, 'NEW');
    await end();
    // What had ended stays as it ended.
    await restore();
    await end();
  });

  it('an operator answers for it', async () => {
    await restore();
    const ref = await refOf();
    const asked = { attempts: 0, from: 'PLANNED', reason: 'LOOKUP_UNPROVEN' } as const;
    await store.sends.setNeedsOperator(ref, asked, AT_MS);
    await store.sends.setAnswer(ref, { kind: 'not-created', attempts: 0, atMs: AT_MS });
    expect(await verificationOf()).toBeUndefined();
    expect(await begin()).toBe('begun');
  });

  it('an answer without a question may be too early', async () => {
    await restore();
    const answer = { kind: 'not-created', attempts: 0, atMs: AT_MS } as const;
    await store.sends.setAnswer(await refOf(), answer);
    expect(await verificationOf()).toBe('due');
    expect(await begin()).toBe('unverified');
  });
});

describe('a chunk is verified', () => {
  it('for itself: others of its batch go on waiting', async () => {
    const epoch = await restore();
    expect(await verify(epoch)).toBe(true);
    expect(await verificationOf()).toBe('by-lookups');
    expect([await begin(0), await begin(1)]).toEqual(['begun', 'unverified']);
    expect(await store.restores.progress('b')).not.toBeNull();
    await verify(epoch, { chunk: 1 });
    expect(await store.restores.progress('b')).toBeNull();
  });

  it('with an entry in the audit log', async () => {
    const epoch = await restore();
    await verify(epoch);
    const entries = await store.audit.list({ batchId: 'b', limit: 100 });
    expect(entries.at(-1)).toMatchObject({
      action: 'verify',
      detail: { chunk: 0 },
      facts: { 'chunk 0': { verified_epoch: epoch, verified_by: 'LOOKUPS' } },
    });
  });

  it('for one restore: the next copy may lack other sends', async () => {
    const epoch = await restore();
    await verify(epoch);
    await restore();
    expect(await verificationOf()).toBe('due');
    expect(await verify(epoch)).toBe(false);
    expect(await begin()).toBe('unverified');
  });

  it('for good once it was sent', async () => {
    await verify(await restore());
    await begin();
    expect(await verificationOf()).toBeUndefined();
  });

  it('not when a send, a find or a question came since its decision', async () => {
    const epoch = await restore();
    const ref = await refOf();
    const where = { account: ACCOUNT, baseUrl: BASE_URL, atMs: AT_MS };
    const decided = { epoch, by: 'lookups', attempts: 1, from: 'PLANNED', ...where } as const;
    expect(await store.restores.verify(ref, decided)).toBe(false);
    const asked = { attempts: 0, from: 'PLANNED', reason: 'LOOKUP_UNPROVEN' } as const;
    await store.sends.setNeedsOperator(ref, asked, AT_MS);
    expect(await store.restores.verify(ref, { ...decided, attempts: 0 })).toBe(false);
    expect(await verify(epoch)).toBe(false);
    const payout = { id: 'mp', state: 'CONFIRMED', fee: null, differences: ['total'] };
    await store.sends.setPayout(await refOf(1), payout);
    expect(await verify(epoch, { chunk: 1 })).toBe(false);
  });

  it('not in a store that was never restored', async () => {
    expect(await verify(0)).toBe(false);
    expect(await verificationOf()).toBeUndefined();
  });
});

describe('lookups that contradicted themselves', () => {
  const disprove = () =>
    store.lookupVerification.disprove(ACCOUNT, BASE_URL, {
      batchId: 'b',
      chunk: 1,
      reason: 'FOUND_AFTER_MISS',
      atMs: AT_MS,
    });

  it('verify nothing any more, and chunks that they verified are open again', async () => {
    const epoch = await restore();
    await verify(epoch);
    await disprove();
    expect(await verificationOf()).toBe('due');
    expect(await verify(epoch)).toBe(false);
    expect(await begin()).toBe('unverified');
    // A refusal rests on no lookup.
    expect(await verify(epoch, { by: 'refusal' })).toBe(true);
  });

  it('change nothing about later sends, or answers of a person', async () => {
    const epoch = await restore();
    await verify(epoch);
    await begin();
    const ref = await refOf(1);
    const asked = { attempts: 0, from: 'PLANNED', reason: 'LOOKUP_UNPROVEN' } as const;
    await store.sends.setNeedsOperator(ref, asked, AT_MS);
    await store.sends.setAnswer(ref, { kind: 'not-created', attempts: 0, atMs: AT_MS });
    await disprove();
    expect([await verificationOf(0), await verificationOf(1)]).toEqual([undefined, undefined]);
  });
});
