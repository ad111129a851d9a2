import { expect, it } from '@jest/globals';
import { isoOf, NOW_MS } from '../../support/approvers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openAt, placeIn, verifyAt } from './support/ended-batch.ts';
import { type GuardedBatch, guardedBatch } from './support/guarded-batch.ts';

const TWO = ['bob', 'carol'];

/** Verifies a batch after these steps. The chain of its log is intact. */
async function verifyAfter(steps: (batch: GuardedBatch) => Promise<unknown>) {
  const place = placeIn(temporaryFolder());
  const store = await openAt(place);
  await steps(guardedBatch(store, place));
  await store.close();
  const { result, problems } = await verifyAt(place);
  return { result, problems: problems.map(({ code, what }) => [code, what]) };
}

async function approved(batch: GuardedBatch): Promise<void> {
  await batch.plan();
  await batch.signSubmit();
  await batch.approve(TWO);
  await batch.release();
}

it('a batch that has every signature of its policy is proven', async () => {
  const found = await verifyAfter(async (batch) => {
    await approved(batch);
    const hold = await batch.hold();
    await batch.approveLift(TWO, hold);
    await batch.lift(hold);
    await batch.attempt();
    await batch.signAnswer(TWO);
    await batch.answer();
  });
  expect(found).toEqual({ result: 'PROVEN', problems: [] });
});

it('a batch with a statement about an older store is proven when a person of its policy signed it, or the engine made it', async () => {
  const found = await verifyAfter(async (batch) => {
    await approved(batch);
    await batch.signOlder('alice');
    await batch.noteOlder('Bursar');
  });
  expect(found).toEqual({ result: 'PROVEN', problems: [] });
});

it('a batch that waits for its approvals is proven', async () => {
  const found = await verifyAfter(async (batch) => {
    await batch.plan();
    await batch.signSubmit();
  });
  expect(found).toEqual({ result: 'PROVEN', problems: [] });
});

it.each<[string, string, (batch: GuardedBatch) => Promise<unknown>]>([
  [
    'was released without approvals',
    'the plan is not approved: 2 more from finance',
    async (batch) => {
      await batch.plan();
      await batch.signSubmit();
      await batch.release();
    },
  ],
  [
    'was released with one approval of two',
    'the plan is not approved: 1 more from finance',
    async (batch) => {
      await batch.plan();
      await batch.signSubmit();
      await batch.approve(['bob']);
      await batch.release();
    },
  ],
  [
    'was released after an approval had lapsed',
    'the plan is not approved: 1 more from finance',
    async (batch) => {
      await batch.plan();
      await batch.signSubmit();
      const times = { issuedAt: isoOf(NOW_MS - 2_000), expiresAt: isoOf(NOW_MS - 1_000) };
      await batch.approve(['bob'], times);
      await batch.approve(['carol']);
      await batch.release();
    },
  ],
  [
    'was submitted by a person who did not sign',
    'alice did not sign the submit',
    async (batch) => {
      await batch.plan();
      await batch.signSubmit('dave');
      await batch.approve(TWO);
      await batch.release();
    },
  ],
  [
    'has a hold that a bare name lifted',
    'hold 1 was lifted without approvals',
    async (batch) => {
      await approved(batch);
      await batch.liftByName(await batch.hold());
    },
  ],
  [
    'has an answer for a chunk without a signature',
    'the answer for chunk 1 is not approved',
    async (batch) => {
      await approved(batch);
      await batch.answer();
    },
  ],
  [
    'has an answer for a chunk that one of two signed',
    'the answer for chunk 1 is not approved',
    async (batch) => {
      await approved(batch);
      await batch.signAnswer(['bob']);
      await batch.answer();
    },
  ],
  [
    'was paused for an older store by an unsigned statement',
    'no person of its policy signed entry 11, that the store is an older copy',
    async (batch) => {
      await approved(batch);
      await batch.noteOlder();
    },
  ],
  [
    'was paused for an older store by a statement about another copy',
    'no person of its policy signed entry 11, that the store is an older copy',
    async (batch) => {
      await approved(batch);
      await batch.signOlder('alice', '0'.repeat(64));
    },
  ],
  [
    'was paused for an older store by a statement of a person outside the policy',
    'no person of its policy signed entry 11, that the store is an older copy',
    async (batch) => {
      await approved(batch);
      await batch.signOlder('eve');
    },
  ],
  [
    'has an attempt and no release',
    'it has 1 attempt and was never released',
    async (batch) => {
      await batch.plan();
      await batch.signSubmit();
      await batch.attempt();
    },
  ],
])('a batch that %s is not approved, though its log is whole', async (_what, why, steps) => {
  const { result, problems } = await verifyAfter(steps);
  expect([result, problems]).toEqual([
    'NOT_APPROVED',
    [['BATCH_NOT_APPROVED', expect.stringContaining(why)]],
  ]);
});
