import { describe, expect, it } from '@jest/globals';
import { createReportActivities } from '../../../src/activities/report/report.ts';
import { createFiles } from '../../../src/files/index.ts';
import { approvalBy, isoOf, NOW_MS, policyOf, setPolicy } from '../../support/approvers.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { ReportBatchInput } from '../../../src/contract/activities.ts';
import type { BatchResult } from '../../../src/contract/batch.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { asActivity } from '../support/as-activity.ts';

it('a batch does not end while rows of it may still be sent', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  await planBatch(store, 'b', 2);
  const checkBalance = () => Promise.reject(new Error('rows are still open'));
  const places = { reportDir: folder, blobs: createFiles(`file:${folder}/blobs`) };
  const deps = { store, ...places, nowMs: () => 1, checkBalance };
  const { reportBatch } = createReportActivities(deps);
  const input = { batchId: 'b', unsentReason: null, canceled: false, error: null };
  await expect(asActivity().run(reportBatch, input)).rejects.toThrow('4 rows are still open');
  expect((await store.batches.find('b'))?.endState).toBeNull();
  await store.close();
});

describe('a batch that its workflow calls refused', () => {
  const WORDS = {
    code: 'REFUSED_BY_APPROVER',
    what: 'carol refused it: fraud',
    why: 'y',
    fix: 'z',
  };
  const input = { batchId: 'b', unsentReason: 'carol refused it', canceled: false, error: WORDS };

  async function end(...statements: Approval[]) {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await planBatch(store, 'b', 2);
    await setPolicy(store, 'b', policyOf());
    for (const one of statements) await store.approvals.add(one, NOW_MS);
    const checkBalance = () => Promise.reject(new Error('nothing was sent'));
    const places = { reportDir: folder, blobs: createFiles(`file:${folder}/blobs`) };
    const deps = { store, ...places, nowMs: () => NOW_MS, checkBalance };
    const { error, state } = (await asActivity().run(
      createReportActivities(deps).reportBatch,
      input as ReportBatchInput,
    )) as BatchResult;
    const text = JSON.stringify([error, await store.chunks.list('b')]);
    await store.close();
    return { error, state, text };
  }

  const about = { batchId: 'b', subject: 'sha256:d', issuedAt: isoOf(NOW_MS - 1_000) };

  it('ends as refused with the reason of the statement that a person signed', async () => {
    const refusal = approvalBy('bob', { ...about, decision: 'refuse', reason: 'the wrong month' });
    const { state, error, text } = await end(refusal);
    expect([state, error?.what]).toEqual([
      ...['REFUSED', 'The batch was refused by bob: the wrong month.'],
    ]);
    expect(text).toContain('refused by bob: the wrong month');
    expect(text).not.toContain('carol');
  });

  it.each<[string, Approval[]]>([
    ['no person refused it', []],
    ['carol approved it', [approvalBy('carol', about)]],
    [
      'another person signed in the name of carol',
      [{ ...approvalBy('bob', { ...about, decision: 'refuse' }), person: 'carol' }],
    ],
  ])('ends as failed, with its own reason, if %s', async (_what, statements) => {
    const { state, error, text } = await end(...statements);
    expect([state, error?.code]).toEqual(['FAILED', 'REFUSAL_UNPROVEN']);
    expect(text).not.toContain('fraud');
  });
});
