import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PastHold } from '../../../src/domain/holds/hold.ts';
import { holdsSection } from '../../../src/report/summary/holds.ts';
import type { Store } from '../../../src/store/index.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { reportOf } from '../support/reports.ts';

const [PUT_MS, RELEASED_MS] = [Date.parse('2026-11-21T09:00:00Z'), 1_795_251_700_000];
const PAUSE = { kind: 'PAUSE', reason: 'the bank called', by: 'ann', facts: {} } as const;
const CANARY = {
  kind: 'CANARY',
  reason: 'the first rows were not all paid',
  by: 'Bursar',
  facts: { currency: 'TRX', chunk: '0' },
} as const;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  await store.batches.register(newBatch('payroll'));
});
afterEach(() => store.close());

describe('the holds of a report', () => {
  it('are all holds, with the person who lifted each, time and reason', async () => {
    await store.holds.put('payroll', CANARY, PUT_MS);
    await store.holds.lift({
      batchId: 'payroll',
      n: 1,
      by: 'bob',
      reason: 'it is fine',
      atMs: RELEASED_MS,
    });
    await store.holds.put('payroll', PAUSE, RELEASED_MS);
    await store.holds.put('another', PAUSE, RELEASED_MS);
    const at = new Date(RELEASED_MS).toISOString();
    expect(await store.holds.all('payroll')).toEqual([
      {
        n: 1,
        since: '2026-11-21T09:00:00.000Z',
        ...CANARY,
        released: { by: 'bob', reason: 'it is fine', at, basis: 'unplanned' },
      },
      { n: 2, since: at, ...PAUSE, released: null },
    ]);
  });

  it('are empty for a batch without holds', async () => {
    expect(await store.holds.all('payroll')).toEqual([]);
  });
});

describe('the page of the report', () => {
  const page = (holds: readonly PastHold[]) => holdsSection(reportOf([], { holds })).markup;
  const held = { n: 1, since: '2026-11-21T09:00:00.000Z', ...CANARY };

  it('shows each hold and the person who lifted it, and escapes their texts', () => {
    const released = { by: 'ann', reason: '<script>alert(1)</script>', at: held.since } as const;
    const markup = page([{ ...held, released: { ...released, basis: 'name' } }]);
    expect(markup).toMatch(/First rows not all paid.*Bursar.*2026-11-21 09:00:00 UTC.*ann/s);
    expect(markup).toContain('&lt;script&gt;');
    expect(markup).not.toContain('<script>');
  });

  it('shows that a hold was not lifted', () => {
    expect(page([{ ...held, released: null }])).toContain('not lifted: the batch ended on hold');
  });

  it('has no section without holds', () => {
    expect(page([])).toBe('');
  });
});
