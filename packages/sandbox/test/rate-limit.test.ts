import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type TokenBucket, takeToken } from '../src/http/rate-limiter.ts';
import { ACCOUNT, errorCodeOf, json, post, sign } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { startSandbox } from './support/start.ts';

/** How many of the requests at these times are accepted. */
function admitted(timesMs: readonly number[], perSecond: number): number {
  let bucket: TokenBucket | undefined;
  let count = 0;
  for (const nowMs of timesMs) {
    const draw = takeToken(bucket, perSecond, nowMs);
    ({ bucket } = draw);
    if (draw.waitMs === 0) count += 1;
  }
  return count;
}

describe('the requests of one key', () => {
  it.each([
    ['all of a burst of one second', [0, 0, 0], 3, 3],
    ['not one more', [0, 0, 0, 0], 3, 3],
    ['one more after a third of a second', [0, 0, 0, 334], 3, 4],
    ['as many again after a long time, and not more', [0, 0, 9_999, 9_999, 9_999], 2, 4],
    ['none more when the clock goes back', [1_000, 0, 0], 1, 1],
  ])('are let in: %s', (_name, timesMs, perSecond, count) => {
    expect(admitted(timesMs, perSecond)).toBe(count);
  });

  it('are accepted after the time in a refusal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.nat({ max: 5_000 }), (perSecond, atMs) => {
        const empty: TokenBucket = { tokens: 0, atMs };
        const { waitMs, bucket } = takeToken(empty, perSecond, atMs);
        expect(waitMs).toBeGreaterThan(0);
        expect(takeToken(bucket, perSecond, atMs + waitMs).waitMs).toBe(0);
      }),
    );
  });

  it('are never more than the limit allows', () => {
    const times = fc.array(fc.nat({ max: 10_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 20 }), (timesMs, perSecond) => {
        const ordered = timesMs.toSorted((left, right) => left - right);
        const lastMs = (ordered.at(-1) ?? 0) - (ordered[0] ?? 0);
        const most = perSecond + Math.floor((lastMs * perSecond) / 1000);
        expect(admitted(ordered, perSecond)).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('too many requests', () => {
  const settings = { REQUESTS_PER_SECOND: '2' };

  it('are refused with 429 and Retry-After, until there is time again', async () => {
    const { client, clock } = await startSandbox({ settings });
    for (let call = 0; call < 2; call += 1) expect((await client.call('ACCOUNT')).status).toBe(200);
    const refused = await client.call('ACCOUNT');
    expect([refused.status, errorCodeOf(refused)]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(refused.headers.get('retry-after')).toBe('1');
    clock.advance(500);
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });

  it('are refused without Retry-After where the service does not send it', async () => {
    const { client } = await startSandbox({ settings: { ...settings, RETRY_AFTER: 'left-out' } });
    for (let call = 0; call < 2; call += 1) await client.call('ACCOUNT');
    const refused = await client.call('ACCOUNT');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
  });

  it('of one key do not hinder another, nor do requests that it did not sign', async () => {
    const keys = `sandbox-key:sandbox-secret:${ACCOUNT},other:other-secret:${ACCOUNT}`;
    const { client, url } = await startSandbox({
      settings: { REQUESTS_PER_SECOND: '1', KEYS: keys },
    });
    for (let call = 0; call < 3; call += 1) await client.call('ACCOUNT', {}, { Sign: 'forged' });
    expect((await client.call('ACCOUNT')).status).toBe(200);
    expect((await client.call('ACCOUNT')).status).toBe(429);
    const body = json({ timestamp: String(START_MS), account: JSON.stringify(ACCOUNT) });
    const headers = { Key: 'other', Sign: sign(body, 'other-secret') };
    expect((await post(`${url}/api/v1/account`, body, headers)).status).toBe(200);
  });
});
