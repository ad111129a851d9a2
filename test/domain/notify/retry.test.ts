import { describe, expect, it } from '@jest/globals';
import { type FailedTry, retryDelayMs } from '../../../src/domain/notify/retry.ts';

const failedTry = (more: Partial<FailedTry> = {}): FailedTry => ({
  notificationId: 'msg_1',
  target: 'ops',
  attempts: 1,
  ...more,
});

/** The schedule that Standard Webhooks gives as an example, in seconds. */
const SCHEDULE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('the wait before the next try', () => {
  it.each(SCHEDULE_S.map((delayS, at) => [at + 1, delayS]))(
    'after try %i is %i seconds, or up to a tenth more',
    (attempts, delayS) => {
      const delayMs = retryDelayMs(failedTry({ attempts })) ?? 0;
      expect(delayMs).toBeGreaterThanOrEqual(delayS * 1_000);
      expect(delayMs).toBeLessThanOrEqual(delayS * 1_100);
    },
  );

  it('does not come after the tenth try: days have passed', () => {
    expect(retryDelayMs(failedTry({ attempts: 10 }))).toBeUndefined();
    expect(SCHEDULE_S.reduce((sum, delayS) => sum + delayS, 0)).toBeGreaterThan(3 * 86_400);
  });

  it('is the same for the same facts, and spread over those that failed together', () => {
    const delays = Array.from({ length: 50 }, (_, n) =>
      retryDelayMs(failedTry({ notificationId: `msg_${n}`, attempts: 3 })),
    );
    expect(new Set(delays).size).toBeGreaterThan(5);
    expect(retryDelayMs(failedTry({ attempts: 3 }))).toBe(retryDelayMs(failedTry({ attempts: 3 })));
  });

  it('is as long as the receiver demands, up to a day', () => {
    expect(retryDelayMs(failedTry({ askedDelayMs: 600_000 }))).toBe(600_000);
    expect(retryDelayMs(failedTry({ askedDelayMs: 1 }))).toBeGreaterThanOrEqual(5_000);
    expect(retryDelayMs(failedTry({ askedDelayMs: 9e15 }))).toBe(86_400_000);
  });
});
