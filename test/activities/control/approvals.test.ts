import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decisionsIn } from '../../support/decisions.ts';
import { createApprovalActivities } from '../../../src/activities/control/approvals.ts';
import { createControlActivities } from '../../../src/activities/control/controls.ts';
import type { RecordApprovalInput } from '../../../src/contract/approval-activities.ts';
import { holdSubject } from '../../../src/domain/approval/question.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import type { Store } from '../../../src/store/index.ts';
import {
  approvalBy,
  DAY_MS,
  NOW_MS,
  policyOf,
  setPolicy,
  signed,
  tier,
} from '../../support/approvers.ts';
import { newBatch, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

/** The digest of the batch that the fixture plans. */
const DIGEST = 'sha256:d';
const HOLD: Hold = {
  n: 1,
  kind: 'STOP_LOSS',
  reason: '6 % of the rows failed',
  by: 'the rules of the plan',
  since: '2026-11-21T09:00:00.000Z',
  facts: {},
};

let store: Store;
let nowMs = NOW_MS;
beforeEach(async () => {
  nowMs = NOW_MS;
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'payroll', 1);
  await setPolicy(store, 'payroll', policyOf());
});
afterEach(() => store.close());

const by = (name: string, more: Parameters<typeof approvalBy>[1] = {}): Approval =>
  approvalBy(name, { subject: DIGEST, ...more });

const record = async (approval: Approval, more: Partial<RecordApprovalInput> = {}) => {
  const { recordApproval } = createApprovalActivities({ store, policy: null, nowMs: () => nowMs });
  const input = { batchId: 'payroll', approval, hold: null, ...more };
  const answer = (await asActivity().run(recordApproval, input)) as Awaited<
    ReturnType<typeof recordApproval>
  >;
  return answer.kind === 'refused' ? answer.error.code : answer.kind;
};

const audited = async () => (await decisionsIn(store)).map(({ action }) => action);

const listed = async () => (await store.approvals.list('payroll')).map(({ approval }) => approval);

describe('an approval that the workflow let pass', () => {
  it('is stored once, with one entry in the audit log, however often the activity runs', async () => {
    const approval = by('bob');
    expect(await record(approval)).toBe('recorded');
    nowMs += 5 * DAY_MS;
    expect(await record(approval)).toBe('recorded');
    expect(await listed()).toEqual([approval]);
    expect(await audited()).toEqual(['release', 'approve']);
    expect(await store.audit.verify()).toMatchObject({ broken: null });
  });

  it.each<{ what: string; approval: () => Approval; code: string }>`
    what                     | approval                                                   | code
    ${'forged'}              | ${() => signed(by('bob'), 'eve')}                          | ${'APPROVAL_FORGED'}
    ${'for another plan'}    | ${() => by('bob', { subject: 'sha256:e' })}                | ${'APPROVAL_FOR_ANOTHER'}
    ${'for a hold'}          | ${() => by('bob', { subject: holdSubject(DIGEST, HOLD) })} | ${'APPROVAL_FOR_ANOTHER'}
    ${'without a signature'} | ${() => ({ ...by('bob'), signature: null })}               | ${'APPROVAL_UNSIGNED'}
    ${'of nobody known'}     | ${() => by('eve')}                                         | ${'APPROVER_UNKNOWN'}
    ${'of somebody else'}    | ${() => by('dave')}                                        | ${'APPROVER_NOT_ENTITLED'}
  `(
    'is refused all the same when it is $what, and only the try is written down',
    async ({ approval, code }) => {
      expect(await record(approval(), { by: 'mallory' })).toBe(code);
      expect(await listed()).toEqual([]);
      expect(await audited()).toEqual(['release', 'approve-rejected']);
      expect((await decisionsIn(store)).at(-1)).toMatchObject({
        actor: 'mallory (unsigned)',
        batchId: 'payroll',
        detail: { code, person: approval().person },
      });
    },
  );

  it('is refused when it lapsed on its way', async () => {
    nowMs += DAY_MS;
    expect(await record(by('bob'))).toBe('APPROVAL_EXPIRED');
  });

  it('is refused when the store shows that the person decided already, or submitted the batch', async () => {
    await record(by('bob'));
    expect(await record(by('bob', { reason: 'once more' }))).toBe('APPROVAL_REPEATED');
    await writableDb(store).updateTable('batch').set({ submitted_by: 'carol' }).execute();
    expect(await record(by('carol'))).toBe('APPROVAL_BY_SUBMITTER');
  });

  it('is refused when the plan needs none, or is not made', async () => {
    await setPolicy(store, 'payroll', null);
    expect(await record(by('bob'))).toBe('APPROVAL_NOT_NEEDED');
    await setPolicy(store, 'payroll', policyOf({ tiers: [tier(1, { above: '1000000' })] }));
    expect(await record(by('bob'))).toBe('APPROVAL_NOT_NEEDED');
    await store.batches.register(newBatch('fresh'));
    expect(await record(by('bob', { batchId: 'fresh' }), { batchId: 'fresh' })).toBe(
      'APPROVAL_NOT_NEEDED',
    );
  });

  it('is about the hold while one is open, and about the plan otherwise', async () => {
    const ofHold = by('bob', { subject: holdSubject(DIGEST, HOLD) });
    expect(await record(ofHold, { hold: HOLD })).toBe('recorded');
    expect(await record(by('carol'), { hold: HOLD })).toBe('APPROVAL_FOR_ANOTHER');
    expect(await record(ofHold, { hold: { ...HOLD, n: 2 } })).toBe('APPROVAL_FOR_ANOTHER');
    expect(await record(by('carol'), { hold: null })).toBe('recorded');
  });
});

it('an approval that the workflow refused gets an audit entry', async () => {
  const { noteRefusedApproval } = createApprovalActivities({
    store,
    policy: null,
    nowMs: () => nowMs,
  });
  const refused = { batchId: 'payroll', by: null, person: 'bob', decision: 'refuse' } as const;
  await asActivity().run(noteRefusedApproval, { ...refused, code: 'APPROVAL_FORGED' });
  expect((await decisionsIn(store)).at(-1)).toMatchObject({
    actor: 'Temporal',
    action: 'refuse-rejected',
    atMs: NOW_MS,
    detail: { code: 'APPROVAL_FORGED', person: 'bob' },
  });
  expect(await listed()).toEqual([]);
});

describe('the release check of approvals', () => {
  const PLAN = { atMs: NOW_MS, hold: null };
  const holds = async (moment: Parameters<Store['approvals']['standing']>[1] = PLAN) =>
    (await store.approvals.standing('payroll', moment))?.satisfied ?? true;

  it('passes when enough people have approved, while their approvals last', async () => {
    expect(await holds()).toBe(false);
    await record(by('bob'));
    expect(await holds()).toBe(false);
    await record(by('carol'));
    expect(await holds()).toBe(true);
    expect(await holds({ atMs: NOW_MS + DAY_MS - 1, hold: null })).toBe(true);
    expect(await holds({ atMs: NOW_MS + DAY_MS, hold: null })).toBe(false);
    expect(await holds({ atMs: NOW_MS, hold: HOLD })).toBe(false);
  });

  it('counts no row of the store without its signature', async () => {
    const rows = [
      signed(by('bob'), 'eve'),
      { ...by('carol'), signature: null },
      by('eve'),
      by('dave'),
      { ...by('carol', { batchId: 'other' }), batchId: 'payroll' },
    ];
    for (const row of rows) await store.approvals.add(row, NOW_MS);
    expect(await holds()).toBe(false);
  });

  it('fails after a refusal', async () => {
    for (const name of ['bob', 'carol']) await record(by(name));
    await record(by('carol', { decision: 'refuse' }));
    expect(await holds()).toBe(false);
  });

  it('passes where no approval is needed, and never for a batch without a plan', async () => {
    await setPolicy(store, 'payroll', null);
    expect(await holds()).toBe(true);
    await writableDb(store)
      .updateTable('batch')
      .set({ digest: null, released_at_ms: null })
      .execute();
    const { releaseBatch } = createControlActivities({ store, policy: null, nowMs: () => NOW_MS });
    const releasing = asActivity().run(releaseBatch, { batchId: 'payroll' });
    await expect(releasing).rejects.toThrow('has no plan');
  });

  it('verifies again when approvals, rules, submitter or plan have changed', async () => {
    const open = holds;
    for (const name of ['bob', 'carol']) await record(by(name));
    expect([await open(), await open()]).toEqual([true, true]);
    const change = writableDb(store).updateTable('batch').where('batch_id', '=', 'payroll');
    await change.set({ submitted_by: 'bob' }).execute();
    expect(await open()).toBe(false);
    await change.set({ submitted_by: 'tester' }).execute();
    expect(await open()).toBe(true);
    await change.set({ digest: 'sha256:e' }).execute();
    expect(await open()).toBe(false);
    await change.set({ digest: DIGEST }).execute();
    await setPolicy(store, 'payroll', policyOf({ tiers: [tier(3)] }));
    expect(await open()).toBe(false);
    await setPolicy(store, 'payroll', policyOf());
    expect(await open()).toBe(true);
    await writableDb(store).deleteFrom('approval').where('person', '=', 'bob').execute();
    expect(await open()).toBe(false);
  });
});
