import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createControlActivities } from '../../../src/activities/control/controls.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import type { Store } from '../../../src/store/index.ts';
import {
  approvalBy,
  DAY_MS,
  isoOf,
  policyOf,
  setPolicy,
  signed,
  tier,
} from '../../support/approvers.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { type Sent, sendAnew } from '../support/send-anew.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

/** When the batches of these tests were let go, and when they are sent. */
const NOW_MS = 1_800_000_000_000;
const CREATED: Sent = { step: { kind: 'created' }, creates: 1 };

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', 2);
});
afterEach(() => store.close());

const send = (more: Partial<Parameters<typeof sendAnew>[2]> = {}): Promise<Sent> =>
  sendAnew(store, 'b', { nowMs: () => NOW_MS, ...more });

const heldFor = (reason: string) => ({
  step: { kind: 'held', hold: { kind: 'APPROVAL', reason: expect.stringContaining(reason) } },
  creates: 0,
});

const resume = () => {
  const { resumeBatch } = createControlActivities({ store, policy: null, nowMs: () => NOW_MS });
  const act = { batchId: 'b', by: 'ann', reason: 'it is fine' };
  return asActivity().run(resumeBatch, { ...act, rulesToo: true });
};

it('a paused batch is not sent', async () => {
  const pause = { kind: 'PAUSE', reason: 'lunch', by: 'zoe', facts: {} } as const;
  const hold = await store.holds.put('b', pause, NOW_MS);
  expect(await send()).toEqual({ step: { kind: 'held', hold }, creates: 0 });
});

describe('a batch without a release in the store', () => {
  beforeEach(() => writableDb(store).updateTable('batch').set({ released_at_ms: null }).execute());

  it('is held until a person resumes it', async () => {
    const held = await send();
    expect(held).toMatchObject(heldFor('does not know that the batch may pay'));
    expect(await send()).toEqual(held);
    expect(await resume()).toMatchObject({ kind: 'resumed' });
    expect((await store.batches.find('b'))?.releasedAtMs).toBe(NOW_MS);
    expect(await send()).toEqual(CREATED);
  });
});

it('a chunk that differs from the plan is not sent, and no person can let it pass', async () => {
  const seal = { isWhole: () => Promise.resolve(false) };
  expect(await send({ seal })).toMatchObject(heldFor('is not what the plan names'));
  expect(await resume()).toMatchObject({ kind: 'resumed' });
  expect(await send({ seal })).toMatchObject(heldFor('is not what the plan names'));
});

describe('a batch that was released by approvals', () => {
  const approval = (name: string, more: Parameters<typeof approvalBy>[1] = {}): Approval =>
    approvalBy(name, {
      batchId: 'b',
      subject: 'sha256:d',
      issuedAt: isoOf(NOW_MS - 1_000),
      expiresAt: isoOf(NOW_MS + DAY_MS),
      ...more,
    });
  const batch = () => writableDb(store).updateTable('batch').where('batch_id', '=', 'b');
  const rowOf = (name: string) =>
    writableDb(store)
      .updateTable('approval')
      .where('batch_id', '=', 'b')
      .where('person', '=', name);
  const rewrite = (name: string, one: Approval) =>
    rowOf(name)
      .set({ approval_json: JSON.stringify(one) })
      .execute();

  beforeEach(async () => {
    await setPolicy(store, 'b', policyOf());
    for (const name of ['bob', 'carol']) await store.approvals.add(approval(name), NOW_MS);
  });

  it('is sent', async () => {
    expect(await send()).toEqual(CREATED);
  });

  it('is sent after they lapsed: they counted at its release', async () => {
    expect(await send({ nowMs: () => NOW_MS + 2 * DAY_MS })).toEqual(CREATED);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'one of them is gone',
      () => writableDb(store).deleteFrom('approval').where('person', '=', 'carol').execute(),
    ],
    ['one of them is of another person', () => rewrite('carol', approval('dave'))],
    ['another person signed one of them', () => rewrite('carol', signed(approval('carol'), 'eve'))],
    [
      'one of them is not signed',
      () => rewrite('carol', { ...approval('carol'), signature: null }),
    ],
    [
      'one of them was made to last longer',
      () => rewrite('carol', { ...approval('carol'), expiresAt: isoOf(NOW_MS + 2 * DAY_MS) }),
    ],
    ['one of them is of another plan', () => rewrite('carol', approval('carol', { subject: 'e' }))],
    [
      'one of them had lapsed before',
      () => rewrite('carol', approval('carol', { expiresAt: isoOf(NOW_MS) })),
    ],
    [
      'a person refused',
      () => store.approvals.add(approval('carol', { decision: 'refuse' }), NOW_MS),
    ],
    ['one of them submitted it', () => batch().set({ submitted_by: 'carol' }).execute()],
    [
      'more of them are needed',
      () => setPolicy(store, 'b', policyOf({ tiers: [tier(3, { roles: ['finance'] })] })),
    ],
  ])('is held, and sends nothing, when the store shows that %s', async (_what, change) => {
    await change();
    expect(await send()).toMatchObject(heldFor('are not in the store, or are not genuine'));
    expect(await store.holds.open('b')).toHaveLength(1);
    expect((await store.sends.record(await refOf())).attempts).toEqual([]);
  });

  const refOf = async () => {
    const { idempotencyKey } = await store.chunks.get('b', 0);
    return { batchId: 'b', chunk: 0, idempotencyKey };
  };
});
