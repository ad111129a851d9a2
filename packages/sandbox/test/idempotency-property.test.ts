import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MODE_VALUES, type Modes } from '../src/core/modes.ts';
import { total, toUnits } from './support/exact.ts';
import { balance, createPayload, ledger, row, withdrawals } from './support/payouts.ts';
import { type Started, startSandbox } from './support/start.ts';

const OPENING = '1000';
const FORGETFUL: readonly string[] = ['key-ttl', 'ignores-key'];
const FAULTS = ['status-500', 'status-500-after', 'accept-then-drop', 'drop-before'] as const;

type Act = Readonly<{
  mode: Modes['idempotency'];
  key: number;
  amount: string;
  passesMs: number;
  fault: (typeof FAULTS)[number] | null;
}>;

const act: fc.Arbitrary<Act> = fc.record({
  mode: fc.constantFrom(...MODE_VALUES.idempotency),
  key: fc.nat({ max: 2 }),
  amount: fc.constantFrom('1', '0.000000000000000001', '99.5'),
  passesMs: fc.constantFrom(0, 1, 999, 30_000),
  fault: fc.option(fc.constantFrom(...FAULTS), { freq: 4 }),
});

async function perform({ client, clock }: Started, keys: readonly string[], asked: Act) {
  const { mode, key, amount, passesMs, fault } = asked;
  clock.advance(passesMs);
  if (fault !== null) {
    const rule = { target: 'MASS_CREATE', kind: fault, next: 1 };
    await client.admin('POST', '/sandbox/faults', rule);
  }
  const payload = createPayload([row(amount)], { idempotencyKey: JSON.stringify(keys[key]) });
  const headers = { 'Sandbox-Modes': `idempotency=${mode}, keyTtlMs=60000` };
  // A fault may suppress the answer. The final ledger decides.
  await client.call('MASS_CREATE', { payload }, headers).catch(() => null);
}

it('one key makes at most one payout unless the mode forgets keys, and all ties out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
      const sandbox = await startSandbox({ settings: { BALANCES: `{"USDT_TRC20":"${OPENING}"}` } });
      const keys = [randomUUID(), randomUUID(), randomUUID()];
      for (const each of acts) await perform(sandbox, keys, each);

      const made = await withdrawals(sandbox.client);
      for (const [at, key] of keys.entries()) {
        const forgets = acts.some((each) => each.key === at && FORGETFUL.includes(each.mode));
        const count = made.filter(({ idempotencyKey }) => idempotencyKey === key).length;
        if (!forgets) expect(count).toBeLessThanOrEqual(1);
      }
      const spent = total(made.flatMap(({ amount, fee }) => [amount, fee]));
      expect(toUnits(OPENING) - toUnits(await balance(sandbox.client))).toBe(spent);
      expect((await ledger(sandbox.client)).balances.every(({ tiesOut }) => tiesOut)).toBe(true);
      await sandbox.close();
    }),
    { numRuns: 40 },
  );
});
