import { describe, expect, it } from '@jest/globals';
import { OPERATION_FAULTS, WEBHOOK_FAULTS } from '../../src/core/faults.ts';
import { DEFAULT_MODES, MODE_NAMES } from '../../src/core/modes.ts';
import { testAddress } from '../../src/test-addresses.ts';
import { ADMIN, good, massPayoutLines } from '../support/admin.ts';
import type { Client } from '../support/client.ts';
import { create, row } from '../support/payouts.ts';
import { startSandbox, steps } from '../support/start.ts';

type Numbered = Readonly<{ n: number }>;
type Listing = Readonly<{ next: number | null } & Record<string, unknown>>;

/** The numbers of a list, newest first, page by page. */
async function numbersOf(client: Client, path: string, list: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let query = ''; ; ) {
    const page: Listing = good(await client.get(`${path}?limit=2&order=newest${query}`));
    pages.push((page[list] as readonly Numbered[]).map(({ n }) => n));
    if (page.next === null) return pages;
    query = `&after=${page.next}`;
  }
}

async function startWithThree() {
  const sandbox = await startSandbox();
  for (const name of ['May', 'June', 'July']) {
    await create(sandbox.client, [row('1')], { name: JSON.stringify(name) });
  }
  steps(sandbox.clock, 3);
  return sandbox;
}

describe('a list of the admin API', () => {
  it.each([
    ['/sandbox/mass-payouts', 'massPayouts'],
    ['/sandbox/requests', 'requests'],
    ['/sandbox/movements', 'movements'],
  ])('is read newest first: %s', async (path, list) => {
    const { client } = await startWithThree();
    expect(await numbersOf(client, path, list)).toEqual([[3, 2], [1]]);
  });

  it('is read newest first: /sandbox/events', async () => {
    const { client } = await startWithThree();
    const { events } = good<{ events: { n: number }[] }>(await client.get('/sandbox/events'));
    const newest = (await numbersOf(client, '/sandbox/events', 'events')).flat();
    expect(newest).toEqual(events.map(({ n }) => n).toReversed());
  });

  it.each(['/sandbox/mass-payouts', '/sandbox/requests', '/sandbox/movements', '/sandbox/events'])(
    'has two orders: %s',
    async (path) => {
      const { client } = await startSandbox();
      expect((await client.get(`${path}?order=any`)).status).toBe(400);
    },
  );
});

describe('GET /sandbox/mass-payouts?search', () => {
  const found = async (client: Client, search: string): Promise<(string | undefined)[]> =>
    (await massPayoutLines(client, `?search=${encodeURIComponent(search)}`)).map(({ id }) => id);

  it('finds a part of an id, a key, a name or an external id, in any case', async () => {
    const { client } = await startSandbox();
    const fields = { name: '"May wages"', externalId: '"b/1/0"' };
    const { id, idempotencyKey } = await create(client, [row('1')], fields);
    await create(client, [row('1')], { name: '"June"' });
    for (const search of [id.slice(4), idempotencyKey.slice(0, 20).toUpperCase(), 'AY W', 'b/1/']) {
      expect([search, await found(client, search)]).toEqual([search, [id]]);
    }
  });

  it.each(['%', '_', "'", '" OR 1=1 --', '0'.repeat(200)])(
    'searches for %j as plain text',
    async (search) => {
      const { client } = await startWithThree();
      expect((await found(client, search)).length).toBe(0);
    },
  );
});

describe('GET /sandbox/mass-payouts/withdrawals', () => {
  it('lists those alone that can be sent again, and counts them', async () => {
    const { client, clock } = await startSandbox();
    const failing = [1, 2, 3].map((n) => row('1', testAddress('0001', n)));
    const { id } = await create(client, [row('1'), ...failing]);
    steps(clock, 3);
    await client.admin('POST', `${ADMIN}/resend`, { id, positions: [3] });
    const read = async (query: string) =>
      good<{ failed: number; next: number | null; withdrawals: { position: number }[] }>(
        await client.get(`${ADMIN}/withdrawals?id=${id}${query}`),
      );
    const { failed, withdrawals } = await read('&failed=true');
    expect([failed, withdrawals.map(({ position }) => position)]).toEqual([2, [2, 4]]);
    const rest = await read('&failed=true&after=2');
    expect(rest.withdrawals.map(({ position }) => position)).toEqual([4]);
    expect((await read('')).withdrawals).toHaveLength(4);
  });

  it('returns the hash of a paid withdrawal, as the lookup does', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), row('1', testAddress('0001', 1))]);
    steps(clock, 3);
    const { withdrawals } = good<{ withdrawals: { transactionHash: string | null }[] }>(
      await client.get(`${ADMIN}/withdrawals?id=${id}`),
    );
    const payload = JSON.stringify({ id: `${id}-1` });
    const { transactionHash } = good<{ transactionHash: string }>(
      await client.call('LOOKUP', { payload }),
    );
    expect(withdrawals.map((each) => each.transactionHash)).toEqual([transactionHash, null]);
  });
});

it('GET /sandbox/modes/values returns the values of each mode, and those of the settings', async () => {
  const { client } = await startSandbox({ settings: { NUMBERS: 'exponent' } });
  await client.admin('PUT', '/sandbox/modes', { numbers: 'plain' });
  const answer = good<{ values: Record<string, unknown>; settings: object }>(
    await client.get('/sandbox/modes/values'),
  );
  expect(Object.keys(answer.values).toSorted()).toEqual([...MODE_NAMES].toSorted());
  expect(answer.values['numbers']).toEqual(['plain', 'exponent']);
  expect(answer.values['withdrawalsMax']).toMatchObject({ min: 1, canBeNull: true });
  expect(answer.settings).toEqual({ ...DEFAULT_MODES, numbers: 'exponent' });
});

describe('GET /sandbox/faults/kinds', () => {
  type Kind = { target: string; kind: string; needs: string[]; may: string[] };

  const EXAMPLES: Record<string, unknown> = {
    delayMs: 5,
    timestampAt: 'arrival',
    httpStatus: 502,
    page: 'html',
    retryAfterS: 1,
    location: 'http://127.0.0.1/',
    sizeBytes: 10,
    copies: 2,
  };

  const fieldsOf = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, EXAMPLES[name]]));

  it('returns the fields of every kind, as POST accepts them', async () => {
    const { client } = await startSandbox();
    const { kinds } = good<{ kinds: Kind[] }>(await client.get('/sandbox/faults/kinds'));
    expect(kinds.map(({ kind }) => kind)).toEqual([...OPERATION_FAULTS, ...WEBHOOK_FAULTS]);
    for (const { target, kind, needs, may } of kinds) {
      const rule = { target: target === 'WEBHOOK' ? target : 'ACCOUNT', kind };
      const add = (fields: object) =>
        client.admin('POST', '/sandbox/faults', { ...rule, ...fields });
      expect([kind, (await add(fieldsOf([...needs, ...may]))).status]).toEqual([kind, 200]);
      for (const missing of needs) {
        const others = fieldsOf(needs.filter((name) => name !== missing));
        expect([kind, (await add(others)).status]).toEqual([kind, 400]);
      }
    }
  });
});
