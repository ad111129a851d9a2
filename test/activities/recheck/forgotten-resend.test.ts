import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { closeUnlessUnpaid } from '../../../src/activities/recheck/confirm-unpaid.ts';
import { idempotencyKeyOf } from '../../../src/domain/sending/identity.ts';
import { ON_THEIR_WAY_MS } from '../../../src/domain/restore/beginning.ts';
import { refused } from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { type LineageWorld, partialWorld, ROOT } from '../support/lineage-world.ts';

const RESEND = 'payroll-r1';

let world: LineageWorld;
let restoredAtMs: number;
beforeEach(async () => {
  world = await partialWorld();
  restoredAtMs = world.clock.nowMs + 1;
  await world.store.restores.raise({ atMs: restoredAtMs, reason: '' });
  world.clock.nowMs = restoredAtMs + 1;
});
afterEach(() => world.store.close());

/** The service has the first mass payout of a resend that the store does not know. */
function forget(batchId: string): void {
  const idempotencyKey = idempotencyKeyOf({ account: ACCOUNT, batchId, chunk: 0, generation: 1 });
  world.service.create(`${batchId}-0`, { idempotencyKey, total: '6' });
}

const codeOf = async (more: Parameters<LineageWorld['resendInput']>[2] = {}): Promise<string> => {
  const ingested = await world.begin(world.resendInput(ROOT, 1, more));
  return ingested.kind === 'refused' ? ingested.error.code : ingested.kind;
};

it('a resend that the store forgot after it was sent adopts its mass payout, even when reads fail', async () => {
  forget(RESEND);
  world.service.fail = (asked) => (asked === 'payout payroll-0' ? refused(503) : undefined);
  expect(await codeOf()).toBe('ingested');
  const [chunk] = await world.store.chunks.list(RESEND);
  expect(chunk).toMatchObject({ state: 'CREATED', massPayoutId: `${RESEND}-0` });
});

it('does not go on when its rows differ from the confirmed ones: it may have paid others', async () => {
  forget(RESEND);
  const options = { ...world.resendInput(ROOT, 1).options, expectCount: 1 };
  await expect(codeOf({ options })).rejects.toMatchObject({ type: 'BATCH_MAY_HAVE_BEGUN' });
  expect(await world.store.chunks.list(RESEND)).toEqual([]);
});

it('its rows leave the resend list of its parent even so', async () => {
  forget(RESEND);
  await codeOf();
  expect(world.report().revision.resent).toEqual([{ batchId: RESEND, rows: 2 }]);
});

it('one without any mass payout is refused only when that is certain', async () => {
  world.service.fail = (asked) => (asked === 'payout payroll-0' ? refused(503) : undefined);
  await expect(codeOf()).rejects.toMatchObject({
    type: 'BATCH_MAY_HAVE_BEGUN',
    nonRetryable: false,
  });
  expect(await world.store.chunks.list(RESEND)).toEqual([]);
});

it('another resend beside it is refused, under any id', async () => {
  forget(RESEND);
  world.clock.nowMs = restoredAtMs + ON_THEIR_WAY_MS + 1;
  const submittedAt = new Date(world.clock.nowMs).toISOString();
  expect(await codeOf({ batchId: 'mended', submittedAt })).toBe('RESEND_FORGOTTEN');
  expect(await world.store.batches.find('mended')).toBeUndefined();
});

it('another resend beside it does not begin while an earlier one is possible', async () => {
  forget(RESEND);
  const submittedAt = new Date(world.clock.nowMs).toISOString();
  const begun = codeOf({ batchId: 'mended', submittedAt });
  await expect(begun).rejects.toMatchObject({ type: 'BATCH_MAY_HAVE_BEGUN' });
  expect(await world.store.batches.find('mended')).toBeUndefined();
});

it('the other chunks of a resend with possibly lost sends are not called unsent', async () => {
  expect(await codeOf()).toBe('ingested');
  world.service.fail = (asked) => (asked === 'payout payroll-0' ? refused(503) : undefined);
  expect(
    await world.run((batchId: string) => closeUnlessUnpaid(world.deps, batchId), RESEND),
  ).toMatchObject({ code: 'RESEND_UNREAD' });
  expect((await world.store.chunks.get(RESEND, 0)).state).toBe('PLANNED');
});
