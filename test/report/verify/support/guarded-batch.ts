import { createHash } from 'node:crypto';
import { questionOfAnswer } from '../../../../src/domain/approval/answer.ts';
import { olderStoreSubject } from '../../../../src/domain/approval/older-store.ts';
import { holdSubject } from '../../../../src/domain/approval/question.ts';
import type { ApprovalStatement } from '../../../../src/domain/approval/statement.ts';
import { submissionSubject } from '../../../../src/domain/approval/submission.ts';
import type { Hold } from '../../../../src/domain/holds/hold.ts';
import { release } from '../../../../src/store/batches/changes.ts';
import type { Store } from '../../../../src/store/index.ts';
import { approvalBy, NOW_MS, policyOf, tier } from '../../../support/approvers.ts';
import { NO_RULES } from '../../../support/planned-batch.ts';
import { BATCH, type Place, plan, refOf } from './ended-batch.ts';
import { writableDb } from '../../../../src/store/database/writable.ts';
import { accessTo } from '../../../../src/store/database/decide.ts';

/** The time of the statement that the store is an older copy, after the submit. */
const NOTED_MS = 1_800_000_000_001;

/** The policy: two persons of finance must approve. */
const POLICY = policyOf({ tiers: [tier(2, { roles: ['finance'] })] });

/**
 * The steps of a batch under a policy, each with its audit entry.
 * They also do what a worker would refuse, like a program that has the store and no keys.
 */
export function guardedBatch(store: Store, place: Place) {
  const record = async () => (await store.batches.find(BATCH))!;
  const sign = async (
    names: readonly string[],
    more: Partial<ApprovalStatement>,
  ): Promise<void> => {
    for (const name of names) {
      await store.approvals.add(approvalBy(name, { batchId: BATCH, ...more }), NOW_MS);
    }
  };
  const set = (values: object) =>
    writableDb(store).updateTable('batch').set(values).where('batch_id', '=', BATCH).execute();
  /** Runs `work` while columns of the batch have other values. */
  const while_ = async (values: object, work: () => Promise<unknown>): Promise<void> => {
    const { rules_json, released_at_ms } = await writableDb(store)
      .selectFrom('batch')
      .select(['rules_json', 'released_at_ms'])
      .executeTakeFirstOrThrow();
    await set(values);
    await work();
    await set({ rules_json, released_at_ms });
  };
  return {
    plan: () => plan(store, place, { ...NO_RULES, approval: POLICY }),
    async signSubmit(by = 'alice'): Promise<void> {
      const batch = await record();
      const about = submissionSubject({ ...batch });
      await sign([by], { ...about, decision: 'submit' });
    },
    async approve(names: readonly string[], more: Partial<ApprovalStatement> = {}): Promise<void> {
      await sign(names, { subject: (await record()).digest ?? '', ...more });
    },
    release: () =>
      accessTo(writableDb(store)).decide([{ batch: BATCH }, 'chain'], (tx) =>
        release(tx, { batchId: BATCH, atMs: NOW_MS, dueAtMs: null }),
      ),
    async attempt(): Promise<void> {
      const ref = await refOf(store, 0);
      const payloadSha256 = createHash('sha256').update('p').digest('hex');
      const intent = { payload: 'p', payloadSha256 };
      const attempt = { n: 1, timestampMs: NOW_MS, bodySha256: 'b', intent };
      await while_({ rules_json: null, released_at_ms: NOW_MS }, () =>
        store.sends.beginAttempt(ref, attempt),
      );
    },
    hold: (): Promise<Hold> =>
      store.holds.put(BATCH, { kind: 'PAUSE', reason: 'r', by: 'zoe', facts: {} }, NOW_MS),
    async approveLift(names: readonly string[], hold: Hold): Promise<void> {
      await sign(names, { subject: holdSubject((await record()).digest ?? '', hold) });
    },
    lift: ({ n }: Hold) =>
      store.holds.lift({ batchId: BATCH, n, by: 'zoe', reason: 'back', atMs: NOW_MS }),
    liftByName: ({ n }: Hold) =>
      while_({ rules_json: null }, () =>
        store.holds.lift({ batchId: BATCH, n, by: 'zoe', reason: 'back', atMs: NOW_MS }),
      ),
    async signAnswer(names: readonly string[]): Promise<void> {
      const { idempotencyKey } = await refOf(store, 1);
      const given = { chunk: 1, idempotencyKey, answer: 'not-created', attempts: 0 } as const;
      const subject = questionOfAnswer(await record(), given)?.subject ?? '';
      await sign(names, { subject, decision: 'not-created' });
    },
    async signOlder(name: string, hash?: string): Promise<void> {
      const about = olderStoreSubject(hash ?? (await store.audit.head()).hash);
      await store.approvals.add(approvalBy(name, { ...about, decision: 'store-older' }), NOTED_MS);
    },
    noteOlder: (actor = 'zoe') =>
      store.audit.append({
        atMs: NOTED_MS,
        batchId: null,
        actor,
        action: 'store-older',
        detail: { reason: 'the store was brought back' },
      }),
    answer: async (): Promise<void> =>
      store.sends.setAnswer(await refOf(store, 1), {
        kind: 'not-created',
        attempts: 0,
        about: 0,
        atMs: NOW_MS,
      }),
  };
}

export type GuardedBatch = ReturnType<typeof guardedBatch>;
