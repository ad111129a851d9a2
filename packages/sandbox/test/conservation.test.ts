import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type TestAddressCode, testAddress } from '../src/test-addresses.ts';
import { act, good, massPayoutLines, needConfirmations } from './support/admin.ts';
import type { Client } from './support/client.ts';
import { total, toUnits } from './support/exact.ts';
import {
  balance,
  createPayload,
  ledger,
  type Row,
  row,
  type WithdrawalLine,
  withdrawals,
} from './support/payouts.ts';
import { type Started, startSandbox, steps } from './support/start.ts';
import { listTransactions } from './support/wallets.ts';

const OPENING = '600';
const CURRENCY = 'USDT_TRC20';

type Action =
  | Readonly<{ kind: 'create'; rows: readonly Row[] }>
  | Readonly<{ kind: 'top-up'; amount: string }>
  | Readonly<{ kind: 'wait'; steps: number }>
  | Readonly<{ kind: 'need-confirmations'; people: number }>
  | Readonly<{ kind: 'tariff'; percent: string; min: string }>
  | PersonActs
  | Readonly<{ kind: 'restart' }>;

/**
 * `target` chooses a mass payout: one that the action fits, or any. A resend chooses some of the
 * failed withdrawals, or all.
 */
type PersonActs = Readonly<{
  kind: 'act';
  what: keyof typeof FITTING_STATES;
  isFitting: boolean;
  target: number;
  chooses: boolean;
}>;

const FITTING_STATES = {
  confirm: ['PENDING_CONFIRMATION'],
  decline: ['PENDING_CONFIRMATION'],
  resend: ['PARTIAL', 'FAILED'],
  'end-waiting': ['WAITING_COMPLETION_ERRORS'],
} as const;

const amount = fc
  .tuple(fc.nat({ max: 300 }), fc.stringMatching(/^\d{0,17}[1-9]$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`);

const code = fc.constantFrom<TestAddressCode[]>(
  '0000',
  '0000',
  '0000',
  '0001',
  '0002',
  '0003',
  '0004',
  '0005',
  '0006',
  '0007',
  '0009',
);

const rowOf = fc.tuple(amount, code).map(([text, fate]) => row(text, testAddress(fate, 1)));

const kind = <Kind extends string>(name: Kind) => fc.constant(name);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('create'),
      rows: fc.array(rowOf, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('top-up'), amount }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('wait'), steps: fc.nat({ max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('need-confirmations'), people: fc.nat({ max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('tariff'),
      percent: fc.constantFrom('0', '0.31', '12.5'),
      min: fc.constantFrom('0', '0.7'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind('act'),
      what: fc.constantFrom('confirm', 'confirm', 'decline', 'resend', 'resend', 'end-waiting'),
      isFitting: fc.constantFrom(true, true, true, false),
      target: fc.nat({ max: 20 }),
      chooses: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('restart') }) },
);

async function personActs(
  client: Client,
  { what, isFitting, target, chooses }: PersonActs,
): Promise<void> {
  const fitting: readonly string[] = FITTING_STATES[what];
  const lines = (await massPayoutLines(client)).filter(
    ({ state }) => !isFitting || fitting.includes(state),
  );
  const { id } = lines[target % lines.length] ?? {};
  if (id === undefined) return;
  const chosen = what === 'resend' && chooses ? { positions: await someFailed(client, id) } : {};
  const { status } = await act(client, what, { id, ...chosen });
  expect([200, 400, 409]).toContain(status);
}

/** The positions of every other failed withdrawal; the first one when none failed. */
async function someFailed(client: Client, id: string): Promise<number[]> {
  const lines = (await withdrawals(client)).filter(({ massPayoutId }) => massPayoutId === id);
  const failed = lines.flatMap(({ state }, at) => (state === 'FAILED' ? [at + 1] : []));
  return failed.length === 0 ? [1] : failed.filter((_, at) => at % 2 === 0);
}

async function perform(sandbox: Started, next: Action): Promise<Started> {
  const { client, clock } = sandbox;
  switch (next.kind) {
    case 'wait':
      steps(clock, next.steps);
      break;
    case 'create': {
      const { status } = await client.call('MASS_CREATE', { payload: createPayload(next.rows) });
      expect([200, 400]).toContain(status);
      break;
    }
    case 'top-up': {
      const fields = { currency: CURRENCY, amount: next.amount };
      good(await client.admin('POST', '/sandbox/top-up', fields));
      break;
    }
    case 'need-confirmations':
      good(await needConfirmations(client, next.people));
      break;
    case 'tariff': {
      const { percent, min } = next;
      const body = { currency: CURRENCY, tariff: { percent, min } };
      good(await client.admin('POST', '/sandbox/tariffs', body));
      break;
    }
    case 'act':
      await personActs(client, next);
      break;
    case 'restart':
      await sandbox.close();
      return startSandbox(sandbox);
  }
  return sandbox;
}

const BACK = ['FAILED', 'CANCELED'];

const costOf = (lines: readonly WithdrawalLine[]): bigint =>
  total(lines.flatMap(({ amount: text, fee }) => [text, fee]));

/** Returns the exact sum of the transactions of some operation codes, amounts and service fees. */
async function moved(client: Client, opcodes: readonly string[]): Promise<bigint> {
  const fields = { opcodes: JSON.stringify(opcodes), pageSize: '1000' };
  const { text } = await listTransactions(client, fields);
  const numbers = [...text.matchAll(/"(?:amount|serviceFee)":([\d.]+)/g)];
  return total(numbers.map(([, number = '']) => number));
}

/** Each of these laws would break if money appeared or vanished anywhere. */
async function expectTieOut({ client }: Started, toppedUp: bigint): Promise<void> {
  const closing = toUnits(await balance(client));
  expect(closing).toBeGreaterThanOrEqual(0n);
  const lines = await withdrawals(client);
  const standing = lines.filter(({ state }) => !BACK.includes(state));
  expect(closing).toBe(toUnits(OPENING) + toppedUp - costOf(standing));

  const paid = standing.filter(({ state }) => state === 'COMPLETED');
  expect(await moved(client, ['SETTLEMENT_MASS_WITHDRAWAL'])).toBe(costOf(paid));
  expect(await moved(client, ['SETTLEMENT_TOP_UP', 'TOP_UP'])).toBe(toppedUp);

  const { movements } = good<{ movements: { opCode: string; amount: string; fee: string }[] }>(
    await client.get('/sandbox/movements'),
  );
  const out = movements.filter(({ opCode }) => opCode === 'SETTLEMENT_MASS_WITHDRAWAL');
  expect(total(out.flatMap(({ amount: text, fee }) => [text, fee]))).toBe(costOf(paid));
}

/** Without the actions of people a mass payout stays open. */
const OPEN = ['PENDING_CONFIRMATION', 'WAITING_COMPLETION_ERRORS', 'IN_PROGRESS'];

it('no money appears or vanishes, in any sequence of actions of the service and its people', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 25, size: 'max' }),
      async (actions) => {
        const settings = {
          BALANCES: `{"${CURRENCY}":"${OPENING}"}`,
          FEE_PERCENT: '0.37',
          FEE_FIX: '0.013',
        };
        const started = await startSandbox({ settings });
        let sandbox: Started = started;
        let toppedUp = 0n;
        for (const next of actions) {
          sandbox = await perform(sandbox, next);
          toppedUp += next.kind === 'top-up' ? toUnits(next.amount) : 0n;
          await expectTieOut(sandbox, toppedUp);
        }
        steps(sandbox.clock, 20);
        await expectTieOut(sandbox, toppedUp);
        const states = new Set((await withdrawals(sandbox.client)).map(({ state }) => state));
        expect(['COMPLETED', ...BACK, ...OPEN]).toEqual(expect.arrayContaining([...states]));
        const { balances } = await ledger(sandbox.client);
        expect(balances.every(({ tiesOut }) => tiesOut)).toBe(true);
        await sandbox.close();
      },
    ),
    { numRuns: 50 },
  );
});
