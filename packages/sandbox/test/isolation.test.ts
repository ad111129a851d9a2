import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ENDPOINTS, type Operation, OPERATIONS } from '@bursar/merchant-api/spec';
import { good } from './support/admin.ts';
import { ACCOUNT, errorCodeOf, json, post, type Reply, sign } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, createPayload, ledger, row } from './support/payouts.ts';
import { type Started, startSandbox, steps } from './support/start.ts';
import { createWallet, wallets } from './support/wallets.ts';

const OTHER = '0x00000000000000000000000000000000000000ff';
const BOTH = '0x00000000000000000000000000000000000000ee';

/** Two keys with an account each, and one account that both may use. */
const settings = {
  KEYS: [
    `sandbox-key:sandbox-secret:${ACCOUNT}`,
    `sandbox-key:sandbox-secret:${BOTH}`,
    `other-key:other-secret:${OTHER}`,
    `other-key:other-secret:${BOTH}`,
  ].join(','),
};

/** Calls with the other key; an account of null is left out. */
async function callAsOther(
  { url }: Started,
  operation: Operation,
  { account, payload }: { account: string | null; payload?: string },
): Promise<Reply> {
  const body = json({
    timestamp: String(START_MS),
    account: account === null ? undefined : JSON.stringify(account),
    payload,
  });
  const headers = { Key: 'other-key', Sign: sign(body, 'other-secret') };
  return post(url + DEFAULT_ENDPOINTS[operation], body, headers);
}

const PAGE = '"pageNumber":1,"pageSize":100';
const DAY_MS = 86_400_000;

const REPORT = JSON.stringify({
  firstDate: new Date(START_MS - DAY_MS).toISOString(),
  lastDate: new Date(START_MS + DAY_MS).toISOString(),
  blockchainList: 'TRON',
  zoneOffset: {},
});

/** Every operation with an account in its envelope, with a valid payload. */
const PAYLOADS: Partial<Record<Operation, string | undefined>> = {
  ACCOUNT: undefined,
  MASS_CREATE: createPayload([row('1')]),
  MASS_GET: '{"id":"x"}',
  LOOKUP: '{"id":"x"}',
  WALLET_LIST: `{${PAGE},"properties":"name"}`,
  WALLET_CREATE: '{"name":"mine","blockchain":"TRON"}',
  WALLET_RENAME: '{"address":"x","name":"mine"}',
  TRANSACTION_LIST: `{${PAGE},"properties":"createdDate"}`,
  OPCODES: undefined,
  LOOKUP_ADDRESS: '{"address":"x"}',
  REPORT,
};

const SCOPED = OPERATIONS.filter((operation) => Object.hasOwn(PAYLOADS, operation));

describe.each(SCOPED)('%s', (operation) => {
  it("refuses another key's account and changes nothing", async () => {
    const sandbox = await startSandbox({ settings });
    const payload = PAYLOADS[operation];
    const asked = { account: ACCOUNT, ...(payload === undefined ? {} : { payload }) };
    const reply = await callAsOther(sandbox, operation, asked);
    expect([reply.status, errorCodeOf(reply)]).toEqual([403, 'ACCOUNT_FORBIDDEN']);
    expect((await ledger(sandbox.client)).entries).toEqual([]);
  });
});

async function startWithObjects() {
  const sandbox = await startSandbox({ settings });
  const { client, clock } = sandbox;
  const massPayout = await create(client, [row('1')]);
  const wallet = await createWallet(client, 'secret savings');
  await client.admin('POST', '/sandbox/top-up', {
    account: ACCOUNT,
    currency: 'USDT_TRC20',
    amount: '5',
  });
  steps(clock, 3);
  return { ...sandbox, massPayout, wallet };
}

describe("another key's objects do not exist for a key", () => {
  it('mass payouts and withdrawals', async () => {
    const sandbox = await startWithObjects();
    const { id, idempotencyKey } = sandbox.massPayout;
    const references = [{ id }, { id: `${id}-1` }, { idempotencyKey }];
    for (const operation of ['MASS_GET', 'LOOKUP'] as const) {
      for (const account of [OTHER, BOTH]) {
        for (const reference of references) {
          const payload = JSON.stringify(reference);
          const reply = await callAsOther(sandbox, operation, { account, payload });
          expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'NOT_FOUND']);
        }
      }
    }
  });

  it('wallets', async () => {
    const sandbox = await startWithObjects();
    const { address } = sandbox.wallet;
    for (const account of [OTHER, BOTH]) {
      for (const [operation, fields] of [
        ['LOOKUP_ADDRESS', { address }],
        ['WALLET_RENAME', { address, name: 'taken' }],
      ] as const) {
        const payload = JSON.stringify(fields);
        const reply = await callAsOther(sandbox, operation, { account, payload });
        expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'NOT_FOUND']);
      }
      const payload = `{${PAGE},"properties":"name","nameOrAddress":"secret"}`;
      const reply = await callAsOther(sandbox, 'WALLET_LIST', { account, payload });
      expect(good(reply)).toMatchObject({ result: [], totalElements: 0 });
    }
    const kept = await wallets(sandbox.client, { nameOrAddress: '"secret"' });
    expect(kept.result).toMatchObject([{ name: 'secret savings' }]);
  });

  it('transactions and reports', async () => {
    const sandbox = await startWithObjects();
    for (const account of [OTHER, BOTH]) {
      const payload = `{${PAGE},"properties":"createdDate"}`;
      const list = await callAsOther(sandbox, 'TRANSACTION_LIST', { account, payload });
      expect(good(list)).toMatchObject({ result: [], totalElements: 0 });
      const report = await callAsOther(sandbox, 'REPORT', { account, payload: REPORT });
      expect(good(report)).toMatchObject({ data: { lines: [] } });
    }
  });

  it('accounts', async () => {
    const sandbox = await startWithObjects();
    const { text } = await callAsOther(sandbox, 'USER', { account: null });
    expect(text).not.toContain(ACCOUNT);
    expect(JSON.parse(text)).toMatchObject({
      availableAccounts: [{ account: OTHER }, { account: BOTH }],
    });
  });
});

describe('a key with several accounts', () => {
  it('sees the objects of the one that it names', async () => {
    const { client } = await startSandbox({ settings });
    const named = await wallets(client, { pageSize: '100' });
    expect(named.totalElements).toBe(8);
  });

  it.each(['WALLET_CREATE', 'MASS_CREATE', 'LOOKUP'] as const)(
    'is refused where %s carries no account to choose one',
    async (operation) => {
      const { client } = await startSandbox({ settings: { ...settings, ACCOUNT_IN: 'shown' } });
      const payload = PAYLOADS[operation];
      const reply = await client.call(operation, { account: undefined, payload });
      expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
      expect((await ledger(client)).entries).toEqual([]);
    },
  );

  it('shares an account with another key', async () => {
    const sandbox = await startSandbox({ settings });
    const account = JSON.stringify(BOTH);
    const payload = createPayload([row('1')]);
    const created = good<{ id: string }>(
      await sandbox.client.call('MASS_CREATE', { account, payload }),
    );
    const asked = { account: BOTH, payload: JSON.stringify({ id: created.id }) };
    expect(good(await callAsOther(sandbox, 'MASS_GET', asked))).toMatchObject({ id: created.id });
  });
});
