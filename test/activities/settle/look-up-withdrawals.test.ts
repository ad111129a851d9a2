import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { lookUpNext } from '../../../src/activities/settle/look-up-withdrawals.ts';
import type { Store } from '../../../src/store/index.ts';
import { answer, failed, fakeService, refused, refusedForAge } from '../../support/fake-service.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const payout = {
  state: 'PARTIAL',
  withdrawalErrors: [{ withdrawalId: 'w1', errors: [] }],
  unreadableParts: [],
};
const record = {
  kind: 'payout' as const,
  id: 'w1',
  state: 'FAILED',
  amount: '1',
  unreadableParts: [],
};

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

/** What is known of the withdrawal after one look. */
async function look(service: Parameters<typeof fakeService>) {
  const deps = { store, service: fakeService(...service), nowMs: () => 7 };
  const at = { batchId: 'b', chunk: 0 };
  const kept = await lookUpNext(deps, { at, account: 'acc', payout, max: 5 });
  return kept.get('w1')?.result;
}

it('returns the record of a withdrawal, with the fields that identify its row and outcome', async () => {
  const told = { ...record, comment: 'wage', errors: '{"a":"long story"}' };
  const { kind: _, unreadableParts: _parts, ...known } = { ...record, comment: 'wage' };
  expect(await look([{ lookup: () => Promise.resolve(answer(told)) }])).toEqual(known);
});

it('notes that the comment of a record cannot be read', async () => {
  const unreadableParts = [{ path: 'comment', problem: 'is not text' }];
  const told = { ...record, unreadableParts };
  expect(await look([{ lookup: () => Promise.resolve(answer(told)) }])).toMatchObject({
    isCommentUnreadable: true,
  });
});

it('counts no record under another id', async () => {
  const other = { ...record, id: 'w2' };
  expect(await look([{ lookup: () => Promise.resolve(answer(other)) }])).toBe('missing');
});

it.each`
  error                   | seen
  ${refused(404)}         | ${'missing'}
  ${refused(404, false)}  | ${'missing'}
  ${refusedForAge()}      | ${'failed'}
  ${refused(503)}         | ${'failed'}
  ${refused(429)}         | ${'failed'}
  ${refused(401)}         | ${'failed'}
  ${failed('no-answer')}  | ${'failed'}
  ${failed('unreadable')} | ${'unavailable'}
`('sees $seen after $error.kind $error.httpStatus', async ({ error, seen }) => {
  expect(await look([{ lookup: () => Promise.reject(error) }])).toBe(seen);
});

it('is unavailable where the service has no lookup', async () => {
  expect(await look([{}, ['LOOKUP']])).toBe('unavailable');
});
