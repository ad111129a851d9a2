import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ServiceAccess } from '../../src/operations/context.ts';
import { MerchantApiError, type MerchantApiErrorKind } from '@bursar/merchant-api';
import { bobApproves } from '../support/signing-people.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeApi } from './support/fake-api.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';

const KEY = '3f6f2a8e-5f0b-4d0c-9a57-0e6f6a2f3c11';
const cwd = temporaryFolder();

const PAYOUT = {
  currency: 'USDT_TRC20',
  idempotencyKey: KEY,
  massAddresses: [
    { depositAddress: 'T1', amount: '12.50', comment: 'a' },
    { depositAddress: 'T2', amount: '0.000000000000000001' },
  ],
};
const TOTAL = '12.500000000000000001:USDT_TRC20';

const world = (more: Partial<ServiceAccess['api']> = {}, options: Partial<WorldOptions> = {}) => {
  const { asked, api } = fakeApi();
  return { asked, ...fakeWorld({ cwd, service: fakeService({ ...api, ...more }), ...options }) };
};

const create = (payout: unknown, ...flags: string[]): string[] => [
  ...['api', 'create-payout', JSON.stringify(payout)],
  ...flags,
];

describe('bursar api create-payout', () => {
  it('sends the payload once, with exact amounts, and warns that nothing protects against a second payment', async () => {
    const { asked, run } = world();
    const { code, out, err } = await run(...create(PAYOUT, '--confirm', TOTAL, '-o', 'json'));
    expect(code).toBe(0);
    expect(asked).toEqual({ createMassPayout: [PAYOUT] });
    expect(JSON.parse(out)).toMatchObject({ schema: 'bursar.api-payout/v1', id: 'mp-1' });
    expect(err).toContain('without the engine');
    expect(err).toContain(`bursar api payout --key ${KEY}`);
  });

  it.each([
    [['--confirm', '12.5:USDT_TRC20'], 3, 'CONFIRMATION_WRONG'],
    [['--confirm', '12.500000000000000001:BTC'], 3, 'CONFIRMATION_WRONG'],
    [[], 2, 'FLAG_INVALID'],
    [['--yes'], 2, 'FLAG_INVALID'],
  ])('sends nothing with %j', async (flags, exitCode, error) => {
    const { asked, json } = world();
    const { code, value } = await json(...create(PAYOUT, ...flags));
    expect([code, value['code'], asked]).toEqual([exitCode, error, {}]);
  });

  it('sends nothing where a policy demands signatures, for any amount', async () => {
    const { asked, json } = world({}, { env: bobApproves('BTC') });
    const { code, value } = await json(...create(PAYOUT, '--confirm', TOTAL));
    expect([code, value['code'], asked]).toEqual([2, 'PAYOUT_OUTSIDE_POLICY', {}]);
    expect(value['fix']).toContain('bursar submit');
  });

  it('sends where a policy counts no signatures', async () => {
    const env = { ...bobApproves('BTC'), BURSAR_APPROVAL_MODE: 'unsigned' };
    const { run } = world({}, { env });
    expect((await run(...create(PAYOUT, '--confirm', TOTAL))).code).toBe(0);
  });

  it('sends nothing after a Ctrl-C', async () => {
    const { asked, run } = world({}, { interrupted: AbortSignal.abort() });
    expect((await run(...create(PAYOUT, '--confirm', TOTAL))).code).toBe(130);
    expect(asked).toEqual({});
  });

  it('lets a person type the total', async () => {
    const { asked, run } = world({}, { isTty: true, input: `${TOTAL}\n` });
    expect((await run(...create(PAYOUT))).code).toBe(0);
    expect(asked['createMassPayout']).toHaveLength(1);
  });

  it('takes the payload from standard input, and then needs --confirm', async () => {
    const input = JSON.stringify(PAYOUT);
    const refused = world({}, { isTty: true, input });
    expect((await refused.run('api', 'create-payout', '-')).code).toBe(2);
    expect(refused.asked).toEqual({});
    const made = world({}, { input });
    expect((await made.run('api', 'create-payout', '-', '--confirm', TOTAL)).code).toBe(0);
    expect(made.asked).toEqual({ createMassPayout: [PAYOUT] });
  });

  it('demands a key, and offers one to copy', async () => {
    const { idempotencyKey: _, ...keyless } = PAYOUT;
    const { asked, json } = world();
    const { code, value } = await json(...create(keyless, '--confirm', TOTAL));
    expect([code, asked]).toEqual([2, {}]);
    expect(value['what']).toMatch(/idempotencyKey is needed: .* [0-9a-f-]{36}, and write it down/);
  });

  it.each([
    ['an amount as a number', { massAddresses: [{ depositAddress: 'T1', amount: 12.5 }] }],
    ['an amount of zero', { massAddresses: [{ depositAddress: 'T1', amount: '0' }] }],
    ['an exponent', { massAddresses: [{ depositAddress: 'T1', amount: '1e3' }] }],
    ['an amount below zero', { massAddresses: [{ depositAddress: 'T1', amount: '-1' }] }],
    ['no recipients', { massAddresses: [] }],
    ['no list of recipients', { massAddresses: {} }],
    ['an unknown field', { fee: '1' }],
    [
      'an unknown field of a recipient',
      { massAddresses: [{ depositAddress: 'T1', amount: '1', fee: '1' }] },
    ],
    ['a key that is no UUID', { idempotencyKey: 'payroll-november' }],
    ['a currency that is none', { currency: 'usdt' }],
    ['a date without a zone', { executionDate: '2026-12-01' }],
  ])('refuses %s', async (_what, change) => {
    const { asked, json } = world();
    const { code, value } = await json(...create({ ...PAYOUT, ...change }, '--confirm', TOTAL));
    expect([code, value['code'], asked]).toEqual([2, 'FLAG_INVALID', {}]);
  });

  it('sends nothing for any other JSON, and never ends as a bug', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (payload) => {
        const { asked, run } = world();
        const { code } = await run('api', 'create-payout', '--confirm', TOTAL, '--', payload);
        expect([code, asked]).toEqual([2, {}]);
      }),
    );
  });

  it.each<{ kind: MerchantApiErrorKind; facts: object; code: string; exitCode: number }>`
    kind             | facts                                     | code                         | exitCode
    ${'no-answer'}   | ${{ reason: 'time-out' }}                 | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'unreadable'}  | ${{ httpStatus: 200, reason: 'cut' }}     | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 500, documented: true }}  | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 409, documented: true }}  | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 429, documented: true }}  | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 400, documented: false }} | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 307, documented: false }} | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 404, documented: false }} | ${'CALL_OUTCOME_UNKNOWN'}    | ${14}
    ${'refused'}     | ${{ httpStatus: 400, documented: true }}  | ${'SERVICE_REFUSED'}         | ${2}
    ${'refused'}     | ${{ httpStatus: 401, documented: true }}  | ${'SERVICE_REFUSED_KEY'}     | ${4}
    ${'not-sent'}    | ${{ reason: 'ECONNREFUSED' }}             | ${'SERVICE_UNREACHABLE'}     | ${6}
    ${'unavailable'} | ${{}}                                     | ${'SERVICE_LACKS_OPERATION'} | ${2}
  `('tells $kind $facts as $code, after one call', async ({ kind, facts, code, exitCode }) => {
    let calls = 0;
    const createMassPayout = () => {
      calls += 1;
      return Promise.reject(new MerchantApiError(kind, { operation: 'MASS_CREATE', ...facts }));
    };
    const ended = await world({ createMassPayout }).json(...create(PAYOUT, '--confirm', TOTAL));
    expect([ended.code, ended.value['code'], calls]).toEqual([exitCode, code, 1]);
    if (exitCode === 14) expect(ended.value['fix']).toContain(`bursar api payout --key ${KEY}`);
  });

  it('reports when the service answers with another mass payout', async () => {
    const value = {
      id: 'mp-1',
      state: 'COMPLETED',
      totalWithdrawalAmount: '1',
      withdrawalErrors: [],
      unreadableParts: [],
    };
    const createMassPayout = async () => ({
      value,
      httpStatus: 200,
      timestampMs: 1,
      bodySha256: 'b',
    });
    const { code, out, err } = await world({ createMassPayout }).run(
      ...create(PAYOUT, '--confirm', TOTAL),
    );
    expect([code, out]).toEqual([14, expect.stringContaining('Mass payout mp-1: COMPLETED')]);
    expect(err).toContain('total is 1, not 12.500000000000000001');
  });
});
