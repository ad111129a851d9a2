import { expect, it } from '@jest/globals';
import type { AttemptOutcome, SendRecord } from '../../../src/domain/sending/send-record.ts';
import { sendFiguresOf } from '../../../src/operations/drill/send-figures.ts';

const record = (payout: string | undefined, ...outcomes: AttemptOutcome[]): SendRecord => ({
  attempts: outcomes.map((outcome, at) => ({ n: at + 1, timestampMs: at, outcome })),
  lookups: [],
  ...(payout === undefined ? {} : { payout: { id: payout, differences: [] } }),
});

it('counts requests that left, those without a clear answer, and payouts that were found again', () => {
  const figures = sendFiguresOf([
    record('a', 'ACCEPTED'),
    record('b', 'AMBIGUOUS'),
    record('c', 'THROTTLED', 'PENDING', 'ACCEPTED'),
    record(undefined, 'VOID', 'NOT_SENT'),
  ]);
  expect(figures).toEqual({ chunks: 4, sends: 5, inDoubt: 2, adopted: 1 });
});
