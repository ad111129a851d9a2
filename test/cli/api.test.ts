import { describe, expect, it } from '@jest/globals';
import type { ServiceAccess } from '../../src/operations/context.ts';
import { MerchantApiError } from '@bursar/merchant-api';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BALANCES, fakeService } from './support/fake-service.ts';
import { fakeWorld } from './support/fake-world.ts';

const KEY = '47be03f5-6725-4b55-8b5e-4af4caae6702';

const world = (more: Partial<ServiceAccess['api']> = {}) => {
  const service = fakeService(more);
  return { ...fakeWorld({ cwd: temporaryFolder(), service }), service };
};

const recording = () => {
  const asked: unknown[] = [];
  const payout = { id: 'mp-1', state: 'COMPLETED', withdrawalErrors: [], unreadableParts: [] };
  const answer = { httpStatus: 200, timestampMs: 1, bodySha256: 'b' };
  return {
    asked,
    api: {
      lookup: async (reference: unknown) => {
        asked.push(reference);
        return { ...answer, value: { kind: 'massPayout' as const, ...payout } };
      },
      readMassPayout: async (reference: unknown) => {
        asked.push(reference);
        return { ...answer, value: payout };
      },
    },
  };
};

describe('bursar api', () => {
  it('prints which parts of an answer it did not read, and no value of them', async () => {
    const part = { path: 'errors.withdrawalErrors.3.withdrawalId', problem: 'is missing' };
    const value = { id: 'mp-1', state: 'PARTIAL', withdrawalErrors: [], unreadableParts: [part] };
    const answer = { value, httpStatus: 200, timestampMs: 1, bodySha256: 'b' };
    const { run, json } = world({ readMassPayout: async () => answer });
    expect((await run('api', 'payout', '--id', 'mp-1')).out).toContain(
      'Not read: errors.withdrawalErrors.3.withdrawalId is missing',
    );
    expect((await json('api', 'payout', '--id', 'mp-1')).value).toMatchObject({
      unreadableParts: [part],
    });
  });

  it('prints the balances, and closes the service', async () => {
    const { json, service } = world();
    const { code, value } = await json('api', 'balance');
    expect(code).toBe(0);
    expect(value).toEqual({ schema: 'bursar.api-balance/v1', ...BALANCES });
    expect(service.closed()).toBe(1);
  });

  it.each<{ args: string[]; reference: object }>`
    args                                         | reference
    ${['lookup', '--id', 'w-1']}                 | ${{ id: 'w-1' }}
    ${['lookup', '--key', KEY]}                  | ${{ idempotencyKey: KEY }}
    ${['lookup', '{"id":"w-1"}']}                | ${{ id: 'w-1' }}
    ${['payout', `{"idempotencyKey":"${KEY}"}`]} | ${{ idempotencyKey: KEY }}
  `('asks for $reference', async ({ args, reference }) => {
    const { asked, api } = recording();
    const { code, value } = await world(api).json('api', ...args);
    expect([code, value['id']]).toEqual([0, 'mp-1']);
    expect(asked).toEqual([reference]);
  });

  it.each([
    ['lookup'],
    ['lookup', '--id', 'w-1', '--key', KEY],
    ['lookup', '--id', ''],
    ['lookup', '--key', 'no-uuid'],
    ['lookup', '{"id":7}'],
    ['lookup', '{"name":"x"}'],
    ['lookup', '[]'],
    ['lookup', '{"id":"a","id":"a"}'],
    ['lookup', '{"id":"a","__proto__":{}}'],
    ['lookup', '{'],
    ['payout', '{"id":"a"}', '--id', 'b'],
    ['fees'],
    ['fees', '--amount', '1'],
    ['fees', '--amount', '1e3', '--currency', 'BTC'],
    ['fees', '--amount', '0', '--currency', 'BTC'],
    ['fees', '--amount', '1', '--currency', 'bitcoin'],
    ['fees', '--amount', '1', '--currency', 'BTC', '--op', 'GIFT'],
    ['fees', '{"items":[]}'],
    ['fees', '{"items":[{"baseAmount":1.5,"currency":"BTC"}]}'],
    ['fees', '{"items":[{"baseAmount":"1.5","currency":"BTC","extra":1}]}'],
    ['fees', '{"items":[{"baseAmount":"1.5","currency":"BTC"}]}', '--amount', '1'],
    ['everything'],
  ])('refuses "api %s %s" before anything is sent', async (...args) => {
    const { code, value } = await world().json('api', ...args);
    expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
  });

  it('prices one amount by flags and several by JSON', async () => {
    const { json } = world();
    const one = await json('api', 'fees', '--amount', '12.5', '--currency', 'BTC');
    expect(one.value).toMatchObject({
      schema: 'bursar.api-fees/v1',
      items: [{ amount: '12.5', currency: 'BTC', feeSender: { fee: '0.01' } }],
    });
    const items = [
      { baseAmount: '1', currency: 'BTC' },
      { baseAmount: '2', currency: 'ETH' },
    ];
    const several = await json('api', 'fees', JSON.stringify({ items }));
    expect(several.value['items']).toMatchObject([{ amount: '1' }, { amount: '2' }]);
  });

  it('prints the answer of the service unchanged, and follows no instruction in it', async () => {
    const facts = { operation: 'LOOKUP', httpStatus: 400, documented: true } as const;
    const serviceMessage = 'payload.id: is no id\u001B[2J';
    const refused = new MerchantApiError('refused', { ...facts, serviceMessage });
    const made = world({ lookup: () => Promise.reject(refused) });
    const { err } = await made.run('api', 'lookup', '--id', 'w-1');
    expect(err).toContain('payload.id: is no id\\u{1b}[2J');
  });

  it.each<{ httpStatus: number; documented: boolean; code: string; exitCode: number }>`
    httpStatus | documented | code                      | exitCode
    ${404}     | ${true}    | ${'LOOKUP_NOTHING'}       | ${5}
    ${404}     | ${false}   | ${'SERVICE_PATH_UNKNOWN'} | ${2}
    ${405}     | ${false}   | ${'SERVICE_PATH_UNKNOWN'} | ${2}
    ${405}     | ${true}    | ${'SERVICE_PATH_UNKNOWN'} | ${2}
    ${401}     | ${true}    | ${'SERVICE_REFUSED_KEY'}  | ${4}
    ${400}     | ${true}    | ${'SERVICE_REFUSED'}      | ${2}
    ${400}     | ${false}   | ${'SERVICE_REFUSED'}      | ${2}
    ${503}     | ${false}   | ${'SERVICE_UNREACHABLE'}  | ${6}
  `('tells a refusal with $httpStatus, documented: $documented, as $code', async (each) => {
    const { code, exitCode, ...answer } = each;
    const refused = new MerchantApiError('refused', { operation: 'LOOKUP', ...answer });
    const made = world({ lookup: () => Promise.reject(refused) });
    const ended = await made.json('api', 'lookup', '--id', 'w-1');
    expect([ended.code, ended.value['code']]).toEqual([exitCode, code]);
    expect(made.service.closed()).toBe(1);
  });
});
