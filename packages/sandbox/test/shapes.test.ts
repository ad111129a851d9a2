import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Operation } from '@bursar/merchant-api/spec';
import {
  ACCOUNT,
  type Client,
  errorCodeOf,
  type Fields,
  json,
  KEY,
  SECRET,
} from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { createPayload, ledger, massPayoutOf, row } from './support/payouts.ts';
import { startSandbox } from './support/start.ts';

const CHECKSUMMED = '0x52908400098527886E0F7030069857D2E4169EE7';
const PAGE = '"pageSize":3,"properties":"name"';

const createIn = (client: Client, fields: Fields = {}) =>
  client.call('MASS_CREATE', { payload: createPayload([row('1')]), ...fields });

const outcomeOf = async (client: Client, operation: Operation, fields: Fields) => {
  const reply = await client.call(operation, fields);
  return reply.status === 200 ? 'done' : errorCodeOf(reply);
};

describe('the account of an operation', () => {
  const named = { account: JSON.stringify(ACCOUNT) };
  const none = { account: undefined };
  const fees = {
    payload:
      '{"items":[{"baseAmount":1,"currency":"BTC","opType":"WITHDRAWAL","feeType":"SERVICE"}]}',
  };

  it.each([
    ['most', 'OPCODES', {}, 'done', 'FIELD_INVALID'],
    ['most', 'USER', {}, 'FIELD_UNKNOWN', 'done'],
    ['most', 'FEE_CALCULATION', fees, 'FIELD_UNKNOWN', 'done'],
    ['all', 'ACCOUNT', {}, 'done', 'FIELD_INVALID'],
    ['all', 'USER', {}, 'done', 'FIELD_INVALID'],
    ['all', 'FEE_CALCULATION', fees, 'done', 'FIELD_INVALID'],
    ['shown', 'ACCOUNT', {}, 'done', 'FIELD_INVALID'],
    ['shown', 'WEBHOOK_LIST', {}, 'done', 'FIELD_INVALID'],
    ['shown', 'OPCODES', {}, 'FIELD_UNKNOWN', 'done'],
    ['shown', 'USER', {}, 'FIELD_UNKNOWN', 'done'],
  ] as const)('in the mode %s: %s', async (mode, operation, fields, withAccount, without) => {
    const { client } = await startSandbox({ settings: { ACCOUNT_IN: mode } });
    expect(await outcomeOf(client, operation, { ...fields, ...named })).toBe(withAccount);
    expect(await outcomeOf(client, operation, { ...fields, ...none })).toBe(without);
  });

  it.each(['null', '5', '{}', '["0x"]', '"x"', `"0x${'9'.repeat(40)}"`])(
    'is refused on USER in the mode all, and never fails: %s',
    async (account) => {
      const { client } = await startSandbox({ settings: { ACCOUNT_IN: 'all' } });
      expect((await client.call('USER', { account })).status).toBeGreaterThanOrEqual(400);
      expect((await client.call('USER', { account })).status).toBeLessThan(500);
    },
  );

  it('that a create does not carry is the only one of the key', async () => {
    const { client } = await startSandbox({ settings: { ACCOUNT_IN: 'shown' } });
    const reply = await createIn(client, none);
    expect(JSON.parse(reply.text)).toMatchObject({ account: ACCOUNT });
    expect(massPayoutOf(reply).state).toBe('CREATION_IN_PROGRESS');
    expect((await createIn(client, named)).status).toBe(400);
  });
});

describe('the case of an account', () => {
  const settings = { KEYS: `${KEY}:${SECRET}:${CHECKSUMMED}` };
  const lower = CHECKSUMMED.toLowerCase();
  const upper = `0x${CHECKSUMMED.slice(2).toUpperCase()}`;
  const withCapitalX = CHECKSUMMED.toUpperCase();

  it.each([
    ['any', CHECKSUMMED, 'done', CHECKSUMMED],
    ['any', lower, 'done', CHECKSUMMED],
    ['any', upper, 'done', CHECKSUMMED],
    ['any', withCapitalX, 'FIELD_INVALID', ''],
    ['exact', withCapitalX, 'FIELD_INVALID', ''],
    ['exact', CHECKSUMMED, 'done', CHECKSUMMED],
    ['exact', lower, 'ACCOUNT_FORBIDDEN', ''],
    ['lower', lower, 'done', lower],
    ['lower', CHECKSUMMED, 'FIELD_INVALID', ''],
  ])('in the mode %s: %s', async (mode, account, outcome, shown) => {
    const { client } = await startSandbox({ settings: { ...settings, ACCOUNT_CASE: mode } });
    const fields = { account: JSON.stringify(account) };
    expect(await outcomeOf(client, 'ACCOUNT', fields)).toBe(outcome);
    const created = await createIn(client, fields);
    if (outcome === 'done') expect(JSON.parse(created.text)).toMatchObject({ account: shown });
    expect((await ledger(client)).entries).toHaveLength(outcome === 'done' ? 2 : 0);
  });
});

describe('a timestamp in seconds', () => {
  const seconds = (offsetMs: number): Fields => ({
    timestamp: String(Math.floor((START_MS + offsetMs) / 1_000)),
  });

  it.each([
    [0, 'done'],
    [-180_000, 'done'],
    [180_000, 'done'],
    [-181_000, 'TIMESTAMP_OUT_OF_WINDOW'],
    [181_000, 'TIMESTAMP_OUT_OF_WINDOW'],
  ])('%d ms from now: %s', async (offsetMs, outcome) => {
    const { client } = await startSandbox({ settings: { TIMESTAMP_UNIT: 's' } });
    expect(await outcomeOf(client, 'ACCOUNT', seconds(offsetMs))).toBe(outcome);
  });

  it('is out of the window where the service has milliseconds, and the other way round', async () => {
    const { client } = await startSandbox();
    expect(await outcomeOf(client, 'ACCOUNT', seconds(0))).toBe('TIMESTAMP_OUT_OF_WINDOW');
    const inSeconds = await startSandbox({ settings: { TIMESTAMP_UNIT: 's' } });
    expect(await outcomeOf(inSeconds.client, 'ACCOUNT', {})).toBe('TIMESTAMP_OUT_OF_WINDOW');
  });

  it('is accepted for up to 999 ms longer than the window, and no longer', async () => {
    const { client, clock } = await startSandbox({ settings: { TIMESTAMP_UNIT: 's' } });
    const signed = seconds(0);
    clock.advance(180_999);
    expect(await outcomeOf(client, 'ACCOUNT', signed)).toBe('done');
    clock.advance(1);
    expect(await outcomeOf(client, 'ACCOUNT', signed)).toBe('TIMESTAMP_OUT_OF_WINDOW');
  });
});

describe('pages', () => {
  it.each([
    ['one', '"pageNumber":1,', 1],
    ['one', '', 1],
    ['zero', '"pageNumber":0,', 0],
    ['zero', '', 0],
  ])('begin with %s: {%s}', async (mode, number, page) => {
    const { client } = await startSandbox({ settings: { PAGE_BASE: mode } });
    const reply = await client.call('WALLET_LIST', { payload: `{${number}${PAGE}}` });
    const { result, ...facts } = JSON.parse(reply.text) as { result: { name: string }[] };
    expect(facts).toEqual({ page, size: 3, total: 3, totalElements: 8 });
    const names = result.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(names).toHaveLength(3);
  });

  it.each([
    ['one', 0],
    ['zero', -1],
  ])('begin with %s, and %d is refused', async (mode, number) => {
    const { client } = await startSandbox({ settings: { PAGE_BASE: mode } });
    const fields = { payload: `{"pageNumber":${number},${PAGE}}` };
    expect(await outcomeOf(client, 'WALLET_LIST', fields)).toBe('FIELD_INVALID');
  });
});

describe('answers that the specification does not show', () => {
  it('are in data where the mode says so, and the log has their ids', async () => {
    const { client } = await startSandbox({ settings: { ANSWER_WRAPPER: 'data' } });
    const { id } = massPayoutOf(await createIn(client));
    const fields = { payload: json({ id: JSON.stringify(id) }) };
    const read = JSON.parse((await client.call('MASS_GET', fields)).text) as object;
    const found = JSON.parse((await client.call('LOOKUP', fields)).text) as object;
    expect(read).toMatchObject({ id });
    expect(found).toEqual({ data: read });
    const { text } = await client.get('/sandbox/requests?operation=LOOKUP');
    expect(JSON.parse(text)).toMatchObject({ requests: [{ objectId: id }] });
  });
});

describe('the dates of failures of a subscription without any', () => {
  const created = new Date(START_MS).toISOString();

  it.each([
    ['created-date', { errorFirstDate: created, errorLastDate: created }],
    ['null', { errorFirstDate: null, errorLastDate: null }],
    ['left-out', {}],
  ])('in the mode %s', async (mode, dates) => {
    const { client } = await startSandbox({ settings: { ERROR_DATES: mode } });
    const payload = JSON.stringify({
      url: 'http://127.0.0.1:65535/hooks',
      requestId: randomUUID(),
      notificationEventTypes: ['PAYOUT_CONFIRMED'],
    });
    const reply = await client.call('WEBHOOK_CREATE', { payload });
    const shown = Object.entries(JSON.parse(reply.text) as object);
    expect(Object.fromEntries(shown.filter(([name]) => /^error.*Date$/.test(name)))).toEqual(dates);
  });
});
