import { describe, expect, it } from '@jest/globals';
import { BLOCKCHAINS } from '../src/core/blockchains.ts';
import { USER_ROLES } from '@bursar/merchant-api/spec';
import { good } from './support/admin.ts';
import { ACCOUNT, type Client, errorCodeOf, type Fields, json } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, row } from './support/payouts.ts';
import { ZONE_OFFSET } from './support/samples.ts';
import { startSandbox, steps } from './support/start.ts';

const dateIn = (ms: number): string => JSON.stringify(new Date(START_MS + ms).toISOString());

const report = (client: Client, fields: Fields = {}) =>
  client.call('REPORT', {
    payload: json({
      firstDate: dateIn(0),
      lastDate: dateIn(1_000_000),
      blockchainList: JSON.stringify(BLOCKCHAINS.join(',')),
      zoneOffset: '{"totalSeconds":0,"id":"Z","rules":{"fixedOffset":true}}',
      ...fields,
    }),
  });

type ReportJson = Readonly<{
  data: Readonly<{ lines: readonly Readonly<{ currency: string }>[] }>;
}>;

const linesOf = async (client: Client, fields: Fields = {}) =>
  good<ReportJson>(await report(client, fields)).data.lines;

async function startWithHistory() {
  const sandbox = await startSandbox();
  const { client, clock } = sandbox;
  await create(client, [row('0.1'), row('0.2')]);
  await create(client, [row('1')], { currency: '"BTC"' });
  steps(clock, 3);
  await create(client, [row('3')]);
  steps(clock, 3);
  await client.admin('POST', '/sandbox/top-up', { currency: 'BTC', amount: '0.5' });
  return sandbox;
}

describe('REPORT', () => {
  it('sums up the transactions of each currency and operation code, exactly', async () => {
    const { client } = await startWithHistory();
    const { text } = await report(client);
    expect(text).toContain(
      `{"account":"${ACCOUNT}","blockchain":"TRON","currency":"USDT_TRC20",` +
        '"opCode":"SETTLEMENT_MASS_WITHDRAWAL","transactions":3,' +
        '"amount":3.3,"serviceFee":0.033,"networkFee":0.0003}',
    );
    expect(await linesOf(client)).toMatchObject([
      { currency: 'USDT_TRC20', opCode: 'SETTLEMENT_MASS_WITHDRAWAL' },
      { currency: 'BTC', opCode: 'SETTLEMENT_MASS_WITHDRAWAL', amount: 1 },
      { currency: 'BTC', opCode: 'SETTLEMENT_TOP_UP', amount: 0.5, networkFee: 0 },
    ]);
  });

  it.each([
    ['the first moment', 0, 3_000, ['USDT_TRC20', 'BTC']],
    ['the last moment', 6_000, 6_000, ['USDT_TRC20', 'BTC']],
    ['between', 3_001, 5_999, []],
    ['before', -5_000, 2_999, []],
  ])('covers only its dates, both included: %s', async (_name, first, last, currencies) => {
    const { client } = await startWithHistory();
    const lines = await linesOf(client, { firstDate: dateIn(first), lastDate: dateIn(last) });
    expect(lines.map(({ currency }) => currency)).toEqual(currencies);
  });

  it('covers only its blockchains', async () => {
    const { client } = await startWithHistory();
    const lines = await linesOf(client, { blockchainList: '"TRON, SOLANA"' });
    expect(lines.map(({ currency }) => currency)).toEqual(['USDT_TRC20']);
  });

  it('takes a zone with every documented field', async () => {
    const { client } = await startSandbox();
    const rules = { ...ZONE_OFFSET.rules, fixedOffset: false };
    const zoneOffset = JSON.stringify({ ...ZONE_OFFSET, rules });
    expect((await report(client, { zoneOffset })).status).toBe(200);
  });

  const zone = (rules: object): string => JSON.stringify({ totalSeconds: 0, id: 'Z', rules });

  it.each([
    ['firstDate', undefined],
    ['lastDate', undefined],
    ['blockchainList', undefined],
    ['zoneOffset', undefined],
    ['firstDate', '"yesterday"'],
    ['firstDate', '"2026-02-30T00:00:00Z"'],
    ['lastDate', dateIn(-1)],
    ['blockchainList', '["TRON"]'],
    ['blockchainList', '""'],
    ['blockchainList', '"TRON,NOWHERE"'],
    ['zoneOffset', '"Z"'],
    ['zoneOffset', '{"totalSeconds":2147483648}'],
    ['zoneOffset', '{"totalSeconds":0.5}'],
    ['zoneOffset', zone({ fixedOffset: 1 })],
    ['zoneOffset', zone({ transitions: {} })],
    ['zoneOffset', zone({ transitions: [{ instant: 'now' }] })],
    ['zoneOffset', zone({ transitions: [{ duration: { seconds: '1' } }] })],
    ['zoneOffset', zone({ transitions: [{ duration: { units: [{ timeBased: 'yes' }] } }] })],
    ['zoneOffset', zone({ transitionRules: [{ month: 'JUIN' }] })],
    ['zoneOffset', zone({ transitionRules: [{ timeDefinition: 'CET' }] })],
    ['zoneOffset', zone({ transitionRules: [{ dayOfWeek: 'FUNDAY' }] })],
    ['zoneOffset', zone({ transitionRules: [{ localTime: { hour: 'one' } }] })],
  ])('refuses %s %s', async (field, value) => {
    const { client } = await startSandbox();
    const reply = await report(client, { [field]: value });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
  });

  it.each([
    zone({ extra: 1 }),
    zone({ transitions: [{ extra: 1 }] }),
    zone({ transitionRules: [{ localTime: { extra: 1 } }] }),
  ])('refuses the unknown field in %s', async (zoneOffset) => {
    const { client } = await startSandbox();
    const reply = await report(client, { zoneOffset });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_UNKNOWN']);
  });
});

describe('USER', () => {
  it('returns the user of the key, with every documented field', async () => {
    const { client } = await startSandbox();
    const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const user = good<{ userFullInfo: { id: string; roles: string[] } }>(await client.call('USER'));
    expect(user).toEqual({
      userFullInfo: {
        id: uuid,
        username: uuid,
        companyId: uuid,
        companyName: expect.any(String),
        active: true,
        blocked: false,
        roles: expect.any(Array),
      },
      permissions: [
        {
          accountId: ACCOUNT,
          accountName: 'Sandbox account 0001',
          permissionGroups: expect.arrayContaining([
            {
              groupId: expect.any(Number),
              name: expect.any(String),
              permissionData: expect.any(Object),
            },
          ]),
        },
      ],
      availableAccounts: [{ account: ACCOUNT, name: 'Sandbox account 0001' }],
    });
    expect(USER_ROLES).toEqual(expect.arrayContaining(user.userFullInfo.roles));
    const { ownerId } = good<{ ownerId: string }>(await client.call('ACCOUNT'));
    expect(user.userFullInfo.id).toBe(ownerId);
  });

  it('lists every account of its key', async () => {
    const other = '0x00000000000000000000000000000000000000ff';
    const keys = [ACCOUNT, other].map((account) => `sandbox-key:sandbox-secret:${account}`);
    const { client } = await startSandbox({ settings: { KEYS: keys.join(',') } });
    expect(good(await client.call('USER', { account: undefined }))).toMatchObject({
      permissions: [{ accountId: ACCOUNT }, { accountId: other }],
      availableAccounts: [{ account: ACCOUNT }, { account: other }],
    });
  });
});
