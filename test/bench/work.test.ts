import { beforeEach, expect, it, jest } from '@jest/globals';
import { workOf } from '../../bench/batch/work.ts';
import { createLedger } from '../../bench/support/instant-service/ledger.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: START_MS });
});

/** What the service of the bench has seen of two batches, each of which sent chunks of so many rows. */
function seenOf({ bare, safe }: Readonly<Record<'bare' | 'safe', readonly number[]>>) {
  const ledger = createLedger();
  for (const [batchId, chunks] of Object.entries({ bare, safe })) {
    for (const [index, rows] of chunks.entries()) {
      ledger.create(bodyOf(`${batchId}/${index}`, rows));
      jest.advanceTimersByTime(1_000);
    }
  }
  return ledger.seen();
}

const bodyOf = (externalId: string, rows: number): string =>
  JSON.stringify({
    account: 'account',
    payload: {
      currency: 'USDT_TRC20',
      idempotencyKey: externalId,
      externalId,
      massAddresses: Array.from({ length: rows }, () => ({ address: 'T', amount: 1 })),
    },
  });

it('two who sent the same did the same work, whenever the last of it came', () => {
  const seen = seenOf({ bare: [2, 3], safe: [2, 3] });
  expect(seen['bare']?.lastCreateAtMs).not.toBe(seen['safe']?.lastCreateAtMs);
  expect(workOf(seen['safe'])).toBe(workOf(seen['bare']));
});

it.each([
  ['fewer rows', [2, 2]],
  ['fewer creates', [5]],
  ['nothing', []],
])('one who sent %s did not do the same work', (_what, safe) => {
  const seen = seenOf({ bare: [2, 3], safe });
  expect(workOf(seen['safe'])).not.toBe(workOf(seen['bare']));
});
