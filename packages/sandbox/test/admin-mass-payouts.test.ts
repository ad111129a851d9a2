import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { testAddress } from '../src/test-addresses.ts';
import { ADMIN, good, type MassPayoutLine, massPayoutLines } from './support/admin.ts';
import { ACCOUNT, type Client } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, createPayload, row } from './support/payouts.ts';
import { STEP_MS, startSandbox, steps } from './support/start.ts';

type Listing = Readonly<{ massPayouts: readonly MassPayoutLine[]; next: number | null }>;
type Withdrawals = Readonly<{
  massPayout: MassPayoutLine;
  withdrawals: readonly Readonly<{ position: number; state: string }>[];
  next: number | null;
}>;

const OTHER = '0x00000000000000000000000000000000000000ff';
const keys = [ACCOUNT, OTHER].map((account) => `sandbox-key:sandbox-secret:${account}`).join(',');

async function pagesOf(client: Client, query: string): Promise<MassPayoutLine[][]> {
  const pages: MassPayoutLine[][] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { massPayouts, next }: Listing = good(
      await client.get(`${ADMIN}?limit=2&after=${after}${query}`),
    );
    pages.push([...massPayouts]);
    after = next;
  }
  return pages;
}

describe('GET /sandbox/mass-payouts', () => {
  it('returns every fact of a mass payout, amounts as text', async () => {
    const { client, clock } = await startSandbox();
    const fields = { name: '"May"', comment: '"c"', externalId: '"b/1/0"' };
    const { id, idempotencyKey } = await create(client, [row('1'), row('0.5')], fields);
    steps(clock, 3);
    expect(await massPayoutLines(client)).toEqual([
      {
        n: 1,
        id,
        account: ACCOUNT,
        state: 'COMPLETED',
        idempotencyKey,
        externalId: 'b/1/0',
        name: 'May',
        comment: 'c',
        currency: 'USDT_TRC20',
        withdrawals: 2,
        totalAmount: '1.5',
        totalFee: '0.015',
        confirmations: 0,
        executionDate: null,
        createdDate: new Date(START_MS).toISOString(),
        endedDate: new Date(START_MS + 3 * STEP_MS).toISOString(),
        nextStepDate: null,
      },
    ]);
  });

  it('is read page by page, by state and by account', async () => {
    const { client, clock } = await startSandbox({ settings: { KEYS: keys } });
    const ids: string[] = [];
    for (const account of [ACCOUNT, OTHER, ACCOUNT, OTHER, ACCOUNT]) {
      const payload = createPayload([row('1')]);
      const reply = await client.call('MASS_CREATE', { account: JSON.stringify(account), payload });
      ids.push(good<{ id: string }>(reply).id);
      if (ids.length === 3) steps(clock, 3);
    }
    const [a, b, c, d, e] = ids;
    const listed = async (query: string) =>
      (await pagesOf(client, query)).map((page) => page.map(({ id }) => id));
    expect(await listed('')).toEqual([[a, b], [c, d], [e]]);
    expect(await listed('&state=COMPLETED')).toEqual([[a, b], [c]]);
    expect(await listed(`&account=${OTHER}`)).toEqual([[b, d], []]);
    expect(await listed(`&account=${ACCOUNT}&state=CREATION_IN_PROGRESS`)).toEqual([[e]]);
    expect(await listed('&state=FAILED')).toEqual([[]]);
  });

  it.each(['?state=DONE', '?limit=0', '?limit=10001', '?after=-1', '?other=1'])(
    'refuses %s',
    async (query) => {
      const { client } = await startSandbox();
      expect((await client.get(ADMIN + query)).status).toBe(400);
    },
  );
});

describe('GET /sandbox/mass-payouts/withdrawals', () => {
  it('is read page by page', async () => {
    const { client, clock } = await startSandbox();
    const rows = [row('1'), row('2', testAddress('0001', 1)), row('3')];
    const { id } = await create(client, rows);
    steps(clock, 3);
    const path = `${ADMIN}/withdrawals?id=${id}&limit=2`;
    const first = good<Withdrawals>(await client.get(path));
    expect(first).toMatchObject({
      massPayout: { id, state: 'PARTIAL' },
      withdrawals: [
        { position: 1, withdrawalId: `${id}-1`, amount: '1', state: 'COMPLETED' },
        { position: 2, state: 'FAILED', errorMessage: 'Destination rejected by compliance' },
      ],
      next: 2,
    });
    const second = good<Withdrawals>(await client.get(`${path}&after=${first.next}`));
    expect(second.withdrawals.map(({ position }) => position)).toEqual([3]);
    expect(second.next).toBeNull();
  });

  it('finds no other mass payout', async () => {
    const { client } = await startSandbox();
    expect((await client.get(`${ADMIN}/withdrawals?id=${randomUUID()}`)).status).toBe(404);
    expect((await client.get(`${ADMIN}/withdrawals`)).status).toBe(400);
  });
});

it('GET /sandbox/accounts lists the accounts of all keys', async () => {
  const { client } = await startSandbox({ settings: { KEYS: keys, CONFIRMATION: 'on' } });
  expect(good(await client.get('/sandbox/accounts'))).toEqual({
    accounts: [
      { account: ACCOUNT, name: 'Sandbox account 0001', confirmations: 1 },
      { account: OTHER, name: 'Sandbox account 00ff', confirmations: 1 },
    ],
  });
});
