import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type TestAddressCode, testAddress } from '../../src/sandbox/test-addresses.ts';
import { total, toUnits } from './support/exact.ts';
import { balance, createPayload, ledger, type Row, row, withdrawals } from './support/payouts.ts';
import { type Started, startSandbox, steps } from './support/start.ts';

const OPENING = '1000';

type Action =
  | Readonly<{ kind: 'create'; rows: readonly Row[] }>
  | Readonly<{ kind: 'top-up'; amount: string }>
  | Readonly<{ kind: 'wait'; steps: number }>;

const amount = fc
  .tuple(fc.nat({ max: 300 }), fc.stringMatching(/^\d{0,17}[1-9]$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`);

const code = fc.constantFrom<TestAddressCode[]>(
  '0000',
  '0000',
  '0001',
  '0002',
  '0003',
  '0004',
  '0009',
);

const rowOf = fc.tuple(amount, code).map(([text, fate]) => row(text, testAddress(fate, 1)));

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      rows: fc.array(rowOf, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('top-up' as const), amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), steps: fc.nat({ max: 4 }) }),
  },
);

/** Returns what was topped up. */
async function act({ client, clock }: Started, next: Action): Promise<string> {
  if (next.kind === 'wait') steps(clock, next.steps);
  if (next.kind === 'create') {
    const { status } = await client.call('MASS_CREATE', { payload: createPayload(next.rows) });
    expect([200, 400]).toContain(status);
  }
  if (next.kind !== 'top-up') return '0';
  const fields = { currency: 'USDT_TRC20', amount: next.amount };
  expect((await client.admin('POST', '/sandbox/top-up', fields)).status).toBe(200);
  return next.amount;
}

/** What has left the account: every withdrawal with its fee, but for those that failed. */
async function spent({ client }: Started): Promise<bigint> {
  const standing = (await withdrawals(client)).filter(({ state }) => state !== 'FAILED');
  return total(standing.flatMap(({ amount: text, fee }) => [text, fee]));
}

async function expectTieOut(sandbox: Started, toppedUp: bigint): Promise<void> {
  const closing = toUnits(await balance(sandbox.client));
  expect(closing).toBe(toUnits(OPENING) + toppedUp - (await spent(sandbox)));
  expect(closing).toBeGreaterThanOrEqual(0n);
}

it('no money appears or vanishes, whatever is created, fails, is resent or topped up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const settings = {
        BALANCES: `{"USDT_TRC20":"${OPENING}"}`,
        FEE_PERCENT: '0.37',
        FEE_FIX: '0.013',
      };
      const sandbox = await startSandbox({ settings });
      let toppedUp = 0n;
      for (const next of actions) {
        toppedUp += toUnits(await act(sandbox, next));
        await expectTieOut(sandbox, toppedUp);
      }
      steps(sandbox.clock, 20);
      await expectTieOut(sandbox, toppedUp);
      const states = new Set((await withdrawals(sandbox.client)).map(({ state }) => state));
      expect(['COMPLETED', 'FAILED']).toEqual(expect.arrayContaining([...states]));
      const { balances } = await ledger(sandbox.client);
      expect(balances.every(({ tiesOut }) => tiesOut)).toBe(true);
      await sandbox.close();
    }),
    { numRuns: 30 },
  );
});
