import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { questionOfAnswer } from '../../../src/domain/approval/answer.ts';
import { holdSubject } from '../../../src/domain/approval/question.ts';
import type { Approval, ApprovalStatement } from '../../../src/domain/approval/statement.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import type { AttemptStart } from '../../../src/store/sending/sends.ts';
import type { Store } from '../../../src/store/index.ts';
import { approvalBy, isoOf, NOW_MS, policyOf, setPolicy } from '../../support/approvers.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const DIGEST = 'sha256:d';
const AT_MS = NOW_MS + 1_000;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 2);
});
afterEach(() => store.close());

async function begin(chunk = 0, n = 1): Promise<AttemptStart> {
  const { idempotencyKey } = await store.chunks.get('b', chunk);
  const intent = { payload: 'p', payloadSha256: 'sha-p' };
  const attempt = { n, timestampMs: AT_MS, bodySha256: 'b', intent };
  return store.sends.beginAttempt({ batchId: 'b', chunk, idempotencyKey }, attempt);
}

const change = (set: object) =>
  writableDb(store).updateTable('batch').set(set).where('batch_id', '=', 'b').execute();

const pause = (): Promise<Hold> =>
  store.holds.put('b', { kind: 'PAUSE', reason: 'r', by: 'dave', facts: {} }, AT_MS);
const askApproval = (): Promise<Hold> =>
  store.holds.put('b', { kind: 'APPROVAL', reason: 'r', by: 'Bursar', facts: {} }, AT_MS);
const lift = (n: number, atMs = AT_MS) =>
  store.holds.lift({ batchId: 'b', n, by: 'bob', reason: 'fine', atMs });

const by = (name: string, more: Partial<ApprovalStatement> = {}): Approval =>
  approvalBy(name, { batchId: 'b', subject: DIGEST, ...more });
async function sign(...statements: Approval[]): Promise<void> {
  for (const one of statements) await store.approvals.add(one, NOW_MS);
}
const signBoth = (more: Partial<ApprovalStatement> = {}): Promise<void> =>
  sign(by('bob', more), by('carol', more));

describe('a batch without a policy', () => {
  it('is sent once it is released', async () => {
    expect(await begin()).toBe('begun');
  });

  it.each<[string, object, AttemptStart]>([
    ['canceled', { canceled_json: '{}' }, 'held'],
    ['at its end', { end_state: 'PARTIAL' }, 'held'],
    ['not released', { released_at_ms: null }, 'unreleased'],
    ['without a plan', { digest: null }, 'unreleased'],
  ])('is not sent while it is %s', async (_what, set, start) => {
    await change(set);
    expect(await begin()).toBe(start);
    expect(
      (await store.sends.record({ batchId: 'b', chunk: 0, idempotencyKey: '' })).attempts,
    ).toEqual([]);
  });

  it('is not sent while a hold is on, and is once a name has lifted it', async () => {
    const { n } = await pause();
    expect(await begin()).toBe('held');
    expect(await lift(n)).toMatchObject({ kind: 'lifted' });
    expect(await begin()).toBe('begun');
    expect((await store.holds.all('b'))[0]?.released).toMatchObject({ by: 'bob', basis: 'name' });
  });

  it('lifts no hold that is not on, and no hold twice', async () => {
    const { n } = await pause();
    expect(await lift(n + 1)).toEqual({ kind: 'not-on' });
    await lift(n);
    expect(await lift(n)).toEqual({ kind: 'not-on' });
  });

  const DUE_MS = AT_MS + 30 * 86_400_000;
  const dueLater = () =>
    change({ released_at_ms: null, options_json: JSON.stringify({ at: isoOf(DUE_MS) }) });

  it('is not released before its time, and is then', async () => {
    await dueLater();
    const early = await store.batches.release('b', DUE_MS - 1);
    expect([early, await begin()]).toEqual([{ kind: 'not-due', dueAtMs: DUE_MS }, 'unreleased']);
    expect(await store.batches.release('b', DUE_MS)).toEqual({ kind: 'released' });
    expect(await begin()).toBe('begun');
  });

  it('is not released before its time by a lifted hold', async () => {
    await dueLater();
    const { n } = await askApproval();
    expect(await lift(n)).toMatchObject({ kind: 'lifted' });
    expect(await begin()).toBe('unreleased');
    expect(await store.batches.release('b', AT_MS)).toMatchObject({ kind: 'not-due' });
  });

  it('is not sent by a release before its time, and is released again at its time', async () => {
    await dueLater();
    await change({ released_at_ms: DUE_MS - 1 });
    expect(await begin()).toBe('unreleased');
    expect(await store.batches.release('b', DUE_MS)).toEqual({ kind: 'released' });
    expect((await store.batches.find('b'))?.releasedAtMs).toBe(DUE_MS);
    expect(await begin()).toBe('begun');
  });

  it('keeps apart the holds that were lifted before there was a plan', async () => {
    const { n } = await pause();
    await change({ digest: null });
    await lift(n);
    expect((await store.holds.all('b'))[0]?.released).toMatchObject({ basis: 'unplanned' });
  });
});

describe('a batch whose policy needs two approvals', () => {
  beforeEach(() => setPolicy(store, 'b', policyOf()));

  it('is sent with those of two others, and not with fewer', async () => {
    await sign(by('bob'));
    expect(await begin()).toBe('unapproved');
    await sign(by('carol'));
    await change({ released_at_ms: AT_MS });
    expect(await begin()).toBe('begun');
  });

  it('is released by statements in the store alone', async () => {
    await change({ released_at_ms: null });
    const release = (atMs = AT_MS) => store.batches.release('b', atMs);
    expect(await release()).toMatchObject({
      kind: 'not-approved',
      missing: expect.stringContaining('more from finance'),
    });
    await signBoth();
    await change({ end_state: 'CANCELED' });
    expect(await release()).toEqual({ kind: 'closed' });
    await change({ end_state: null });
    expect(await release()).toEqual({ kind: 'released' });
    expect(await begin()).toBe('begun');
    // A second release changes nothing.
    expect(await release(AT_MS + 1)).toEqual({ kind: 'released' });
    expect((await store.batches.find('b'))?.releasedAtMs).toBe(AT_MS);
    expect(await store.batches.release('nobody', AT_MS)).toEqual({ kind: 'closed' });
  });

  it('is not released once a person has refused it', async () => {
    await change({ released_at_ms: null });
    await signBoth();
    await sign(by('carol', { decision: 'refuse' }));
    const missing = 'one of the approvers refused it';
    expect(await store.batches.release('b', AT_MS)).toEqual({ kind: 'not-approved', missing });
  });

  it('keeps a hold on until two people have signed for exactly that hold', async () => {
    await signBoth();
    await change({ released_at_ms: AT_MS });
    const hold = await pause();
    expect(await lift(hold.n)).toMatchObject({
      kind: 'not-approved',
      missing: expect.stringContaining('more from finance'),
    });
    await signBoth({ subject: holdSubject(DIGEST, { ...hold, n: hold.n + 1 }) });
    expect(await lift(hold.n)).toMatchObject({ kind: 'not-approved' });
    await signBoth({ subject: holdSubject(DIGEST, hold) });
    expect(await begin()).toBe('held');
    expect(await lift(hold.n)).toMatchObject({ kind: 'lifted' });
    expect(await begin()).toBe('begun');
    const [lifted] = await store.holds.all('b');
    expect(lifted?.released).toMatchObject({ by: 'bob, carol', basis: 'approvals' });
  });

  it('is released by the people who lift its hold APPROVAL, and by those who lift another one it is not', async () => {
    await change({ released_at_ms: null });
    const [paused, asked] = [await pause(), await askApproval()];
    for (const hold of [paused, asked]) await signBoth({ subject: holdSubject(DIGEST, hold) });
    await lift(paused.n);
    expect((await store.batches.find('b'))?.releasedAtMs).toBeNull();
    await lift(asked.n);
    expect((await store.batches.find('b'))?.releasedAtMs).toBe(AT_MS);
    expect(await begin()).toBe('begun');
  });

  it('sends a chunk again after "not created" only with the statements of two people about it', async () => {
    await signBoth();
    await change({ released_at_ms: AT_MS });
    await begin();
    const { idempotencyKey } = await store.chunks.get('b', 0);
    const answer = { kind: 'not-created', attempts: 1, atMs: AT_MS } as const;
    await writableDb(store)
      .updateTable('chunk')
      .set({ answer_json: JSON.stringify(answer) })
      .where('chunk', '=', 0)
      .execute();
    expect(await begin(0, 2)).toBe('unapproved');
    const facts = await store.approvals.authority('b');
    const given = { chunk: 0, idempotencyKey, answer: 'not-created', attempts: 1 } as const;
    const { subject = '' } = (facts && questionOfAnswer(facts.batch, given)) ?? {};
    await signBoth({ subject, decision: 'not-created' });
    expect(await begin(0, 2)).toBe('begun');
    expect(await begin(1)).toBe('begun');
  });

  it('keeps each statement once, with an entry in the log', async () => {
    expect(await store.approvals.add(by('bob'), NOW_MS)).toBe(true);
    expect(await store.approvals.add(by('bob'), NOW_MS)).toBe(false);
    expect(await store.approvals.statements('b')).toHaveLength(1);
    const entries = (await store.audit.list({ batchId: 'b', limit: 99 })).filter(
      ({ action }) => action === 'approve',
    );
    expect(entries).toMatchObject([{ actor: 'bob', detail: { signed: true } }]);
  });
});

describe('a hold', () => {
  it('of a kind that is on already is not put on twice', async () => {
    const first = await pause();
    expect(await pause()).toEqual(first);
    expect(await store.holds.open('b')).toHaveLength(1);
  });

  it('that a rule put on is taken off by that rule, and no other', async () => {
    const expire = (n: number) =>
      store.holds.expire({ batchId: 'b', n, reason: 'over', atMs: AT_MS });
    const cap = { kind: 'DAY_LIMIT', reason: 'r', by: 'Bursar', facts: {} } as const;
    const { n } = await store.holds.put('b', cap, AT_MS);
    expect(await expire(n)).toBe(true);
    expect(await expire(n)).toBe(false);
    await expect(expire((await pause()).n)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await store.holds.open('b')).toHaveLength(1);
  });

  it('gives way to one with another reason on demand', async () => {
    const of = (reason: string) =>
      ({ kind: 'DAY_LIMIT', by: 'Bursar', facts: {}, replaces: true, reason }) as const;
    await store.holds.put('b', of('one'), AT_MS);
    const same = await store.holds.put('b', of('one'), AT_MS);
    expect(same.n).toBe(1);
    const other = await store.holds.put('b', of('two'), AT_MS);
    expect([other.n, (await store.holds.open('b')).map(({ reason }) => reason)]).toEqual([
      2,
      ['two'],
    ]);
  });
});
