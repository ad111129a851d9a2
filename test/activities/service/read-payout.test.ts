import { describe, expect, it } from '@jest/globals';
import { readPayout } from '../../../src/activities/service/read-payout.ts';
import type { MassPayout, MerchantClient, Reference } from '@bursar/merchant-api';
import { answer, failed, fakeService, refused, refusedForAge } from '../../support/fake-service.ts';

const names = { id: 'mp', idempotencyKey: 'd4e11352-398d-4399-8728-f0d5730c20a7' };
const payout: MassPayout = {
  id: 'mp',
  state: 'COMPLETED',
  withdrawalErrors: [],
  unreadableParts: [],
};

type Ways = Readonly<{ byId?: Error; byLookup?: Error; byKey?: MassPayout }>;

/** A service that refuses a way with its error, and notes what it was asked. */
function service({ byId, byLookup, byKey = payout }: Ways, lacks: 'LOOKUP'[] = []) {
  const asked: string[] = [];
  const say = (way: string, error: Error | undefined, value: MassPayout) => {
    asked.push(way);
    return error === undefined ? Promise.resolve(answer(value)) : Promise.reject(error);
  };
  const calls: Partial<MerchantClient> = {
    readMassPayout: (reference: Reference) =>
      'id' in reference ? say('id', byId, payout) : say('key', undefined, byKey),
    lookup: () => say('lookup', byLookup, { ...payout, kind: 'massPayout' } as never) as never,
  };
  return { api: fakeService(calls, lacks).api, asked };
}

describe('reading a mass payout', () => {
  it.each<[string, Ways, string[]]>([
    ['by its id', {}, ['id']],
    ['by LOOKUP where MASS_GET refuses ids', { byId: refused(400) }, ['id', 'lookup']],
    ['by LOOKUP where MASS_GET is not there', { byId: refused(404, false) }, ['id', 'lookup']],
    [
      'by LOOKUP where a refusal has the status 200',
      { byId: failed('unreadable') },
      ['id', 'lookup'],
    ],
    [
      'by its key where nothing else is accepted',
      { byId: refused(400), byLookup: refused(404, false) },
      ['id', 'lookup', 'key'],
    ],
  ])('%s', async (_way, ways, expected) => {
    const { api, asked } = service(ways);
    expect(await readPayout(api, names)).toMatchObject(payout);
    expect(asked).toEqual(expected);
  });

  it('uses only operations that the service has', async () => {
    const { api, asked } = service({ byId: refused(400) }, ['LOOKUP']);
    expect(await readPayout(api, names)).toMatchObject(payout);
    expect(asked).toEqual(['id', 'key']);
  });

  it.each([
    ['a refused signature', refused(401)],
    ['a timestamp that may be too old', refusedForAge()],
    ['too many requests', refused(429)],
    ['a failure of the service', refused(503)],
    ['no answer', failed('no-answer')],
  ])('uses no other operation after %s', async (_what, byId) => {
    const { api, asked } = service({ byId });
    await expect(readPayout(api, names)).rejects.toBe(byId);
    expect(asked).toEqual(['id']);
  });

  it('counts no record of another mass payout: a key may have been used twice', async () => {
    const byKey = { ...payout, id: 'another' };
    const { api } = service({ byId: refused(400), byLookup: refused(400), byKey });
    expect(await readPayout(api, names)).toBeUndefined();
  });

  it('uses the next operation when an id returns another mass payout', async () => {
    const calls: Partial<MerchantClient> = {
      readMassPayout: (reference) =>
        Promise.resolve(answer({ ...payout, id: 'id' in reference ? 'another' : 'mp' })),
    };
    const { api } = fakeService(calls, ['LOOKUP']);
    expect(await readPayout(api, names)).toMatchObject(payout);
    expect(await readPayout(api, { id: 'mp' })).toBeUndefined();
  });

  it('throws the first error for the id when every operation fails', async () => {
    const byId = refused(404);
    const { api } = service({ byId, byLookup: refused(400) });
    await expect(readPayout(api, { id: 'mp' })).rejects.toBe(byId);
  });
});
