import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decisionsIn } from '../../support/decisions.ts';
import { createControlActivities } from '../../../src/activities/control/controls.ts';
import { stopAtLoss } from '../../../src/activities/send/stop-loss.ts';
import { subjectOf } from '../../../src/domain/approval/question.ts';
import type { ApprovalPolicy } from '../../../src/domain/approval/policy.ts';
import type { Hold, HoldKind, HoldRef } from '../../../src/domain/holds/hold.ts';
import type { Store } from '../../../src/store/index.ts';
import { approvalBy, isoOf, policyOf, setPolicy } from '../../support/approvers.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const NOW_MS = 1_800_000_000_000;
const ACT = { batchId: 'b', by: 'ann', reason: 'it is fine' };

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 2);
});
afterEach(() => store.close());

const controls = () => createControlActivities({ store, policy: null, nowMs: () => NOW_MS });

const resume = (rulesToo = true) =>
  asActivity().run(controls().resumeBatch, { ...ACT, rulesToo }) as Promise<{ kind: string }>;

const putHold = (kind: 'PAUSE' | 'STOP_LOSS') =>
  store.holds.put('b', { kind, reason: 'r', by: 'x', facts: {} }, NOW_MS);

const lastEntry = async () => (await decisionsIn(store)).at(-1);

const actions = async () => (await decisionsIn(store)).map(({ action }) => action);

describe('a hold that a workflow puts on', () => {
  const put = (kind: HoldKind, facts: Hold['facts'] = {}) => {
    const words = { reason: 'bob approved this by phone', by: 'bob', facts };
    return asActivity().run(controls().putHold, { batchId: 'b', kind, ...words });
  };

  it.each(['FEE_DRIFT', 'FEE_CAP', 'DAY_LIMIT', 'BALANCE', 'APPROVAL', 'CANARY'] as const)(
    'is no %s, unless the rule demands it from the facts of the store',
    async (kind) => {
      await expect(put(kind)).rejects.toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
      expect(await store.holds.open('b')).toEqual([]);
      expect(await lastEntry()).not.toMatchObject({ action: 'hold' });
    },
  );

  it('is the earlier one of the limit of the day', async () => {
    const reason = 'the rule says so';
    const limit = { kind: 'DAY_LIMIT', reason, by: 'Bursar', facts: { 0: 'x' } } as const;
    const hold = await store.holds.put('b', limit, NOW_MS);
    expect(await put('DAY_LIMIT', { 0: 'y' })).toEqual(hold);
    expect(await store.holds.open('b')).toEqual([hold]);
  });

  it('is a pause without facts', async () => {
    expect(await put('PAUSE', { fees: '1 TRX' })).toHaveProperty('facts', {});
  });
});

describe('before there is a plan', () => {
  beforeEach(() => writableDb(store).updateTable('batch').set({ digest: null }).execute());
  const resumeUnder = (policy: ApprovalPolicy | null) =>
    asActivity().run(createControlActivities({ store, policy, nowMs: () => NOW_MS }).resumeBatch, {
      ...ACT,
      rulesToo: true,
    });

  it('no name lifts a pause where the settings have a policy, and the audit log has the try', async () => {
    await putHold('PAUSE');
    expect(await resumeUnder(policyOf())).toMatchObject({
      kind: 'refused',
      error: { code: 'RESUME_BEFORE_PLAN' },
    });
    expect(await store.holds.open('b')).toHaveLength(1);
    expect(await lastEntry()).toMatchObject({
      action: 'resume-rejected',
      actor: 'ann (unsigned)',
      detail: { code: 'RESUME_BEFORE_PLAN' },
    });
  });

  it('a name lifts a pause where there is no policy', async () => {
    await putHold('PAUSE');
    expect(await resumeUnder(null)).toMatchObject({ kind: 'resumed' });
  });
});

it('a release before the time of the batch is tried again, and changes nothing', async () => {
  const at = NOW_MS + 1;
  const set = { released_at_ms: null, options_json: JSON.stringify({ at: isoOf(at) }) };
  await writableDb(store).updateTable('batch').set(set).execute();
  await store.funds.ask({ batchId: 'b', account: 'main', dueAtMs: at }, NOW_MS);
  await writableDb(store).updateTable('claim').set({ granted_at_ms: NOW_MS }).execute();
  const release = (nowMs: number) =>
    asActivity().run(
      createControlActivities({ store, policy: null, nowMs: () => nowMs }).releaseBatch,
      { batchId: 'b' },
    );
  await expect(release(NOW_MS)).rejects.toMatchObject({ type: 'NOT_DUE', nonRetryable: false });
  expect((await store.batches.find('b'))?.releasedAtMs).toBeNull();
  expect(await release(at)).toEqual({ kind: 'released' });
});

describe('the hold of a rule where approvals lift it', () => {
  beforeEach(() => setPolicy(store, 'b', policyOf()));

  it.each([true, false])(
    'is not resumed by name, and the audit log has the try: %s',
    async (rulesToo) => {
      await putHold('STOP_LOSS');
      expect(await resume(rulesToo)).toMatchObject({ kind: 'needs-approval' });
      expect(await store.holds.open('b')).toHaveLength(1);
      expect((await actions()).at(-1)).toBe('resume-rejected');
    },
  );

  it('stays on when the pause beside it is lifted by as many people as the plan needs', async () => {
    await putHold('STOP_LOSS');
    const pause = await putHold('PAUSE');
    expect(await resume()).toMatchObject({ kind: 'needs-approval', hold: { kind: 'PAUSE' } });
    const resumeAs = (name: string) => {
      const at = { issuedAt: isoOf(NOW_MS), expiresAt: isoOf(NOW_MS + 1_000) };
      const subject = subjectOf('sha256:d', pause);
      const approval = approvalBy(name, { batchId: 'b', subject, ...at });
      const asked = { ...ACT, by: name, rulesToo: true, hold: { n: pause.n }, approval };
      return asActivity().run(controls().resumeBatch, asked);
    };
    expect(await resumeAs('bob')).toMatchObject({ kind: 'recorded' });
    expect(await store.holds.open('b')).toHaveLength(2);
    expect(await resumeAs('carol')).toMatchObject({ kind: 'resumed', hold: pause });
    expect(await store.holds.open('b')).toMatchObject([{ kind: 'STOP_LOSS' }]);
    expect(await lastEntry()).toMatchObject({ action: 'resume', actor: 'bob, carol' });
  });

  it('is not lifted by a name, an approval of another hold, or one that another person signed', async () => {
    const hold = await putHold('STOP_LOSS');
    const subject = subjectOf('sha256:d', hold);
    const at = { issuedAt: isoOf(NOW_MS), expiresAt: isoOf(NOW_MS + 1_000) };
    const good = approvalBy('bob', { batchId: 'b', subject, ...at });
    const another = approvalBy('bob', { batchId: 'b', subject: 'sha256:d', ...at });
    for (const approval of [another, { ...good, person: 'carol' }, { ...good, signature: null }]) {
      const asked = { ...ACT, rulesToo: true, hold: { n: hold.n }, approval };
      expect(await asActivity().run(controls().resumeBatch, asked)).toMatchObject({
        kind: 'refused',
      });
    }
    expect(await store.holds.open('b')).toEqual([hold]);
    expect((await lastEntry())?.actor).toBe('ann (unsigned)');
  });
});

describe('the hold of a rule that people approved', () => {
  const letGo = (n: number) =>
    asActivity().run(controls().releaseApprovedHold, { batchId: 'b', n });
  const approveHold = async (name: string, { n }: Hold) => {
    const batch = await store.batches.find('b');
    const [hold] = await store.holds.open('b');
    const subject = subjectOf(batch?.digest ?? '', hold ?? null);
    expect(hold?.n).toBe(n);
    const at = { issuedAt: isoOf(NOW_MS - 1_000), expiresAt: isoOf(NOW_MS + 1_000) };
    await store.approvals.add(approvalBy(name, { batchId: 'b', subject, ...at }), NOW_MS);
  };

  it('is lifted by the approvals of the store, in the names of the approvers', async () => {
    await setPolicy(store, 'b', policyOf());
    const hold = await putHold('STOP_LOSS');
    await approveHold('bob', hold);
    expect(await letGo(1)).toEqual({
      kind: 'not-approved',
      missing: '1 more from finance: alice, carol',
    });
    expect(await store.holds.open('b')).toHaveLength(1);
    await approveHold('carol', hold);
    expect(await letGo(1)).toEqual({ kind: 'released' });
    expect(await letGo(1)).toEqual({ kind: 'released' });
    expect(await store.holds.open('b')).toEqual([]);
    expect(await lastEntry()).toMatchObject({ action: 'resume', actor: 'bob, carol' });
  });

  it('is not lifted by approvals where the policy needs none', async () => {
    await putHold('STOP_LOSS');
    await expect(letGo(1)).rejects.toThrow('nobody need approve');
    expect(await store.holds.open('b')).toHaveLength(1);
  });
});

it('the hold of a rule is resumed by name where the policy needs no approval, unless the workflow has a policy', async () => {
  await putHold('STOP_LOSS');
  expect(await resume(false)).toMatchObject({ kind: 'needs-approval' });
  expect(await resume()).toMatchObject({ kind: 'resumed' });
  expect((await lastEntry())?.action).toBe('resume');
  expect(await resume()).toEqual({ kind: 'not-held' });
  expect(await lastEntry()).toMatchObject({
    action: 'resume-rejected',
    actor: 'ann',
    detail: { code: 'NOT_HELD', reason: ACT.reason },
  });
});

it('a hold that only the workflow has is lifted with an audit entry', async () => {
  const asked = { ...ACT, rulesToo: true, hold: { n: 3 }, forgotten: true };
  expect(await asActivity().run(controls().resumeBatch, asked)).toEqual({ kind: 'not-held' });
  expect(await lastEntry()).toMatchObject({
    action: 'resume',
    actor: 'ann',
    detail: { n: 3, reason: ACT.reason, forgotten: true },
  });
});

describe('a hold that the resume names', () => {
  const resumeNamed = (hold: HoldRef, by = 'ann') =>
    asActivity().run(controls().resumeBatch, { ...ACT, by, rulesToo: true, hold });

  it('is lifted, and the others stay on, pauses too', async () => {
    const loss = await putHold('STOP_LOSS');
    await putHold('PAUSE');
    const { n, since } = loss;
    expect(await resumeNamed({ n, since })).toMatchObject({ kind: 'resumed', hold: loss });
    expect(await store.holds.open('b')).toMatchObject([{ kind: 'PAUSE' }]);
  });

  it('is no later hold, and the audit log has the try', async () => {
    const read = await putHold('STOP_LOSS');
    await resumeNamed({ n: read.n });
    const unread = await putHold('STOP_LOSS');
    expect(await resumeNamed({ n: read.n }, 'bob')).toEqual({ kind: 'not-open', open: [unread] });
    expect(await resumeNamed({ n: unread.n, since: 'another' })).toMatchObject({
      kind: 'not-open',
    });
    expect(await store.holds.open('b')).toEqual([unread]);
    expect((await actions()).slice(-2)).toEqual(['resume-rejected', 'resume-rejected']);
  });

  it('stays lifted when the resume is sent again after its answer was lost', async () => {
    const hold = await putHold('STOP_LOSS');
    const unread = await putHold('PAUSE');
    const { n, since } = hold;
    await resumeNamed({ n, since });
    expect(await resumeNamed({ n, since })).toEqual({ kind: 'resumed', hold });
    expect(await store.holds.open('b')).toEqual([unread]);
  });

  it('may be unknown where no hold is on', async () => {
    expect(await resumeNamed({ n: 7 })).toEqual({ kind: 'not-held' });
    expect(await lastEntry()).toMatchObject({
      action: 'resume-rejected',
      actor: 'ann',
      detail: { code: 'NOT_HELD', n: 7, reason: ACT.reason },
    });
  });
});

it('a canceled batch is not resumed, and the audit log has the try', async () => {
  await putHold('PAUSE');
  const asked = { ...ACT, rulesToo: true, stopped: 'canceled by bob: the wrong month' };
  const resumed = await asActivity().run(controls().resumeBatch, asked);
  expect(resumed).toEqual({ kind: 'stopped', stopped: asked.stopped });
  expect(await store.holds.open('b')).toHaveLength(1);
  expect(await lastEntry()).toMatchObject({
    action: 'resume-rejected',
    actor: 'ann',
    detail: { code: 'BATCH_STOPPED', reason: ACT.reason },
  });
});

it('the first person who stopped a batch is its canceler, and the audit log has all who tried', async () => {
  const { noteCancel, readControls } = controls();
  await asActivity().run(noteCancel, ACT);
  await asActivity().run(noteCancel, { ...ACT, by: 'bob' });
  const { canceled } = (await asActivity().run(readControls, { batchId: 'b' })) as Awaited<
    ReturnType<typeof readControls>
  >;
  expect(canceled).toEqual({ by: 'ann', reason: ACT.reason });
  expect(await actions()).toEqual(['release', 'cancel', 'cancel']);
});

it('a person who lifts a hold accepts the losses that the hold names, and no later ones', async () => {
  const lose = (chunk: number) =>
    store.settlements.save(
      { batchId: 'b', chunk },
      {
        massPayoutState: 'FAILED',
        final: true,
        rows: [],
        fee: null,
        unclearSinceMs: null,
        defaultOutcome: { outcome: 'FAILED', reason: 'no' },
        keepsLookups: false,
        payoutFingerprint: null,
        reopened: 0,
      },
    );
  const stop = () => stopAtLoss({ store, nowMs: () => NOW_MS }, 'b', ['10%']);
  await lose(0);
  expect(await stop()).toMatchObject({ n: 1 });
  await lose(1);
  expect(await resume()).toMatchObject({ kind: 'resumed', hold: { n: 1 } });
  expect(await stop()).toMatchObject({ n: 2, reason: expect.stringContaining('since somebody') });
  await resume();
  expect(await stop()).toBeUndefined();
});
