import { describe, expect, it } from '@jest/globals';
import { lookUpKey } from '../../../src/activities/service/lookup.ts';
import { MerchantApiError } from '@bursar/merchant-api';
import { answer, failed, fakeService, refused, refusedForAge } from '../../support/fake-service.ts';

const KEY = 'd4e11352-398d-4399-8728-f0d5730c20a7';
const payout = {
  id: 'mp-1',
  state: 'CONFIRMED',
  withdrawalErrors: [],
  unreadableParts: [],
  idempotencyKey: KEY,
};
const missed = () => Promise.reject(refused(404));

describe('a lookup of a key', () => {
  it('takes a hit of either operation for proof', async () => {
    const byGet = fakeService({ readMassPayout: () => Promise.resolve(answer(payout, 5)) });
    expect(await lookUpKey(byGet, KEY)).toMatchObject({
      result: 'found',
      payout,
      operation: 'MASS_GET',
      serverDateMs: 5,
      askedAtMs: 1,
    });
    const byLookup = fakeService({
      readMassPayout: missed,
      lookup: () => Promise.resolve(answer({ kind: 'massPayout' as const, ...payout })),
    });
    expect(await lookUpKey(byLookup, KEY)).toMatchObject({ result: 'found', operation: 'LOOKUP' });
  });

  it('uses only the verified operation, once there is one', async () => {
    const service = fakeService({ readMassPayout: missed });
    expect(await lookUpKey(service, KEY, { operations: ['MASS_GET'] })).toMatchObject({
      result: 'missed',
    });
  });

  it.each`
    what                             | error                   | result
    ${'a documented 404'}            | ${refused(404)}         | ${'missed'}
    ${'a documented 400'}            | ${refused(400)}         | ${'missed'}
    ${'a bare 404'}                  | ${refused(404, false)}  | ${'unavailable'}
    ${'a bare 405'}                  | ${refused(405, false)}  | ${'unavailable'}
    ${'an answer that is no record'} | ${failed('unreadable')} | ${'unavailable'}
    ${'a refused signature'}         | ${refused(401)}         | ${'failed'}
    ${'429'}                         | ${refused(429)}         | ${'failed'}
    ${'500'}                         | ${refused(500)}         | ${'failed'}
    ${'a reset connection'}          | ${failed('no-answer')}  | ${'failed'}
    ${'a service that is not there'} | ${failed('not-sent')}   | ${'failed'}
  `('takes $what for $result', async ({ error, result }) => {
    const service = fakeService({ readMassPayout: () => Promise.reject(error) }, ['LOOKUP']);
    expect((await lookUpKey(service, KEY)).result).toBe(result);
  });

  it.each(['idempotencyKey', 'account', 'currency', 'externalId', ''])(
    'takes a record whose %j cannot be read neither for ours nor for a miss',
    async (path) => {
      const odd = { ...payout, unreadableParts: [{ path, problem: 'is not text' }] };
      const service = fakeService({ readMassPayout: () => Promise.resolve(answer(odd)) }, [
        'LOOKUP',
      ]);
      expect(await lookUpKey(service, KEY)).toMatchObject({ result: 'failed' });
    },
  );

  it('takes a record whose comment cannot be read for ours', async () => {
    const odd = { ...payout, unreadableParts: [{ path: 'comment', problem: 'is not text' }] };
    const service = fakeService({ readMassPayout: () => Promise.resolve(answer(odd)) }, ['LOOKUP']);
    expect(await lookUpKey(service, KEY)).toMatchObject({ result: 'found' });
  });

  it('takes no refusal for a miss while the clocks are far apart: it may be about the timestamp', async () => {
    const clockSkewMs = () => -300_000;
    const service = fakeService({ readMassPayout: missed, clockSkewMs }, ['LOOKUP']);
    expect((await lookUpKey(service, KEY)).result).toBe('failed');
  });

  it('takes no refusal for a miss that may be about the age of the timestamp alone', async () => {
    const service = fakeService({ readMassPayout: () => Promise.reject(refusedForAge()) }, [
      'LOOKUP',
    ]);
    expect((await lookUpKey(service, KEY)).result).toBe('failed');
  });

  it('is a miss when one operation does not find the key and the other does not exist', async () => {
    const service = fakeService({
      readMassPayout: () => Promise.reject(refused(404, false)),
      lookup: missed,
    });
    expect((await lookUpKey(service, KEY)).result).toBe('missed');
  });

  it('returns the time of the service also when no operation exists: a fence may have passed', async () => {
    const at = (serverDateMs: number) =>
      new MerchantApiError('refused', { operation: 'LOOKUP', httpStatus: 404, serverDateMs });
    const service = fakeService({
      readMassPayout: () => Promise.reject(at(5)),
      lookup: () => Promise.reject(refused(404, false)),
    });
    expect(await lookUpKey(service, KEY)).toMatchObject({ result: 'unavailable', serverDateMs: 5 });
  });

  it.each([
    ['refused', 502, undefined],
    ['refused', 429, undefined],
    ['unreadable', 200, undefined],
    ['no-answer', 200, undefined],
    ['refused', 503, true],
  ] as const)(
    'takes no Date from an answer that may be of a proxy: %s %d, documented: %s',
    async (kind, httpStatus, documented) => {
      const facts = { operation: 'LOOKUP', httpStatus, documented, serverDateMs: 5 } as const;
      const error = new MerchantApiError(kind, facts);
      const service = fakeService({ readMassPayout: () => Promise.reject(error) }, ['LOOKUP']);
      const look = await lookUpKey(service, KEY);
      expect(look.serverDateMs).toBe(documented === true ? 5 : undefined);
    },
  );

  it('dates a miss by its first request, and not by the answer', async () => {
    const at = (timestampMs: number) =>
      new MerchantApiError('refused', {
        operation: 'LOOKUP',
        httpStatus: 404,
        documented: true,
        timestampMs,
      });
    const service = fakeService({
      readMassPayout: () => Promise.reject(at(5)),
      lookup: () => Promise.reject(at(7)),
    });
    expect(await lookUpKey(service, KEY)).toMatchObject({ result: 'missed', askedAtMs: 5 });
  });

  it('is no miss when one operation gave no answer', async () => {
    const service = fakeService({
      readMassPayout: missed,
      lookup: () => Promise.reject(failed('no-answer')),
    });
    expect((await lookUpKey(service, KEY)).result).toBe('failed');
  });

  it('does not take a record under another key for an answer', async () => {
    const other = { ...payout, idempotencyKey: 'another' };
    const service = fakeService({ readMassPayout: () => Promise.resolve(answer(other)) }, [
      'LOOKUP',
    ]);
    expect((await lookUpKey(service, KEY)).result).toBe('unavailable');
  });
});
