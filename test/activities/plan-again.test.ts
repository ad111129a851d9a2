import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer, MassPayout } from '../../src/merchant-api/index.ts';
import type { Store } from '../../src/store/store.ts';
import { WATCH_SUBJECTS } from '../../src/store/watches.ts';
import { answer, failed, refused } from '../support/fake-service.ts';
import { PEOPLE } from '../support/history-fixtures.ts';
import { openTestStore } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { endOf, type Job, planFile } from './support/plan-file.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
});
afterEach(() => store.close());

/** After the batch was submitted. */
const bringBack = () =>
  store.watches.note(WATCH_SUBJECTS.store, {
    ...{ condition: 'older', detail: '' },
    atMs: Date.parse('2026-11-21T13:00:00Z'),
  });

describe('a plan that is made again after the store was brought back from an older copy', () => {
  const PAYOUT = { id: 'mp', state: 'COMPLETED', withdrawalErrors: [] };
  const ROWS = [`${PEOPLE[0]},1.5`];

  /** Plans the rows; `found`: what the service says of the first chunk. */
  const again = (found: () => Promise<Answer<MassPayout>>, job: Job = {}) =>
    planFile({ store, folder }, { batchId: 'b', rows: ROWS }, { ...job, found });

  it('knows from the service that the batch has begun, and adopts its first chunk', async () => {
    await bringBack();
    const outcome = await again(async () => answer(PAYOUT));
    expect(outcome).toMatchObject({ kind: 'planned', begun: true, restored: true });
    expect(await store.chunks.get('b', 0)).toMatchObject({ state: 'CREATED', massPayoutId: 'mp' });
  });

  it('asks nobody to accept again what was accepted before anything was sent', async () => {
    await bringBack();
    const rules: Job['rules'] = { findings: { confirm: ['FIRST_TIME_PAYEE'], block: [] } };
    const unknown = async () => Promise.reject(refused(404));
    expect(endOf(await again(unknown, { rules }))).toContain('FIRST_TIME_PAYEE');
    expect(endOf(await again(async () => answer(PAYOUT), { rules }))).toBe('planned');
  });

  it('has not begun where the service does not know the first chunk', async () => {
    await bringBack();
    const outcome = await again(async () => Promise.reject(refused(404)));
    expect(outcome).toMatchObject({ begun: false, restored: true });
  });

  it('waits where the service does not answer', async () => {
    await bringBack();
    await expect(again(async () => Promise.reject(failed('no-answer')))).rejects.toMatchObject({
      type: 'SERVICE_UNREACHABLE',
      nonRetryable: false,
    });
  });

  it('asks nobody where the store was never brought back', async () => {
    expect(await planFile({ store, folder }, { batchId: 'b', rows: ROWS })).toMatchObject({
      begun: false,
      restored: false,
    });
  });
});
