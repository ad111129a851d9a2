import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  demandSubject,
  scheduleSubject,
  type SubmissionSubject,
  submissionSubject,
} from '../../../src/domain/approval/submission.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import type { Store } from '../../../src/store/index.ts';
import { approvalBy, NOW_MS, policyOf } from '../../support/approvers.ts';
import { createSchedule, definition } from '../../support/schedule-definitions.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOMINAL = '2026-05-04T09:00';
const RENT = definition();
const SCHEDULE = { scheduleId: 'rent', definitionJson: JSON.stringify(RENT) };
/** The file of the run. */
const SHA256 = 'a'.repeat(64);

const RUN = newBatch('rent-1', {
  fileSha256: SHA256,
  optionsJson: JSON.stringify({ ...RENT.options, at: '2026-05-04T09:00:00Z' }),
});
const OWN = submissionSubject({
  batchId: 'rent-1',
  accountRef: 'main',
  fileSha256: SHA256,
  optionsJson: RUN.optionsJson,
  generation: 0,
  parentBatchId: null,
});

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

/** The batch of a run of the schedule, as the run was claimed. */
async function run(more: Partial<typeof RUN> = {}): Promise<void> {
  await createSchedule(store, RENT, 5);
  const key = { scheduleId: 'rent', nominal: NOMINAL };
  const claiming = { ...key, dueAtMs: 1_000, atMs: 1_001, claimant: 'w1' };
  await store.scheduleRuns.claim(claiming, () => ({ decision: { kind: 'claim' } as const }));
  const file = { name: 'a.csv', sha256: SHA256, batchId: 'rent-1' };
  const taking = { claimant: 'w1', rejected: 0, allowUnchanged: false, atMs: 2_000 };
  await store.scheduleRuns.takeFile(key, { file, ...taking });
  await store.batches.register({ ...RUN, ...more });
}

const by = (name: string, about: SubmissionSubject): Approval =>
  approvalBy(name, { ...about, decision: 'submit' });
const submit = (statement: Approval) =>
  store.approvals.addSubmission('rent-1', { statement, policy: policyOf(), atMs: NOW_MS });
const submitter = () => store.approvals.submitter('rent-1', policyOf());

describe('who submitted a batch', () => {
  it.each<[string, SubmissionSubject]>([
    ['the batch itself', OWN],
    ['its schedule', scheduleSubject(SCHEDULE)],
    ['its run', demandSubject(SCHEDULE, NOMINAL)],
  ])('is who signed %s', async (_what, about) => {
    await run();
    expect(await submit(by('bob', about))).toBe('bob');
    expect(await submitter()).toBe('bob');
    expect(await store.approvals.statements('rent-1')).toHaveLength(1);
    // A submit is no approval.
    expect(await store.approvals.list('rent-1')).toEqual([]);
    const entries = await store.audit.list({ batchId: 'rent-1', limit: 9 });
    expect(entries.filter(({ action }) => action === 'sign-submit')).toHaveLength(1);
  });

  it.each<[string, Approval]>([
    ['a person whom the policy does not name', by('eve', OWN)],
    ['another run', by('bob', demandSubject(SCHEDULE, '2026-05-05T09:00'))],
    [
      'another schedule',
      by(
        'bob',
        scheduleSubject({ ...SCHEDULE, definitionJson: JSON.stringify({ ...RENT, cron: '1' }) }),
      ),
    ],
    ['an approval', { ...by('bob', OWN), decision: 'approve' }],
    ['a changed statement', { ...by('bob', OWN), reason: 'other' }],
  ])('is not proven by %s, which is not stored', async (_what, statement) => {
    await run();
    expect(await submit(statement)).toBeUndefined();
    expect(await submitter()).toBeUndefined();
    expect(await store.approvals.statements('rent-1')).toEqual([]);
  });

  it.each<[string, Partial<typeof RUN>]>([
    ['file', { fileSha256: 'b'.repeat(64) }],
    ['account', { accountRef: 'other' }],
    ['options', { optionsJson: JSON.stringify({ ...RENT.options, skipInvalid: true }) }],
  ])('is not who signed the schedule, when the batch has another %s', async (_what, more) => {
    await run(more);
    expect(await submit(by('bob', scheduleSubject(SCHEDULE)))).toBeUndefined();
  });

  it('is no person, for a batch that the store does not have', async () => {
    expect(await submit(by('bob', OWN))).toBeUndefined();
    expect(await store.approvals.authority('rent-1')).toBeUndefined();
  });
});
