import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type FundsWorld, fundsWorld, NOW_MS } from '../support/funds-world.ts';

/** What can happen between two other things, in any order that the scheduler finds. */
type Step = (what: string) => Promise<void>;

type Plan = Readonly<{
  chunks: readonly number[];
  fee: number;
  isScheduled: boolean;
  waits: boolean;
}>;

const plan: fc.Arbitrary<Plan> = fc.record({
  chunks: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
  fee: fc.integer({ min: 0, max: 2 }),
  isScheduled: fc.boolean(),
  waits: fc.boolean(),
});

/** The true account: what the service has, and what it has taken for which batch. */
function trueAccount(plans: readonly Plan[], opening: number) {
  const granted = new Set<number>();
  /** What each batch still pays, by chunk. */
  const left = plans.map(
    ({ chunks, fee }) => new Map(chunks.map((total, chunk) => [chunk, total + fee])),
  );
  const account = {
    balance: opening,
    granted,
    grant: (batch: number): void => {
      granted.add(batch);
      account.check();
    },
    take: (batch: number, chunk: number): void => {
      account.balance -= left[batch]?.get(chunk) ?? Number.NaN;
      left[batch]?.delete(chunk);
      account.check();
    },
    /** Whatever was let go can be paid to its end. */
    check: (): void => {
      const needed = [...granted].flatMap((batch) => [...(left[batch]?.values() ?? [])]);
      const sum = needed.reduce((total, chunk) => total + chunk, 0);
      if (!(account.balance >= sum)) throw new Error(`${sum} promised of ${account.balance}`);
    },
  };
  return account;
}

const DUE_MS = NOW_MS + 60_000;

const nameOf = (batch: number): string => `b${batch}`;

async function addAll(funds: FundsWorld, plans: readonly Plan[]): Promise<void> {
  for (const [batch, { chunks, fee, isScheduled, waits }] of plans.entries()) {
    const at = isScheduled ? new Date(DUE_MS).toISOString() : null;
    await funds.add({
      batchId: nameOf(batch),
      chunks: chunks.map(String),
      fees: { TRX: String(fee * chunks.length) },
      options: { at, fundsWaitMs: waits ? 1 : null },
    });
  }
}

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openTestStore(temporaryFolder());
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

type Run = Readonly<{
  funds: FundsWorld;
  plans: readonly Plan[];
  account: ReturnType<typeof trueAccount>;
  step: Step;
}>;

/** One batch from its plan to its end, as workflow and senders drive it. */
async function live({ funds, plans, account, step }: Run, batch: number): Promise<void> {
  const { chunks = [], isScheduled, waits } = plans[batch] ?? {};
  const batchId = nameOf(batch);
  if (isScheduled) {
    await funds.claimFunds(batchId);
    await step(`${batchId} comes due`);
    funds.world.nowMs = DUE_MS;
  }
  for (let tries = 0; tries < (waits ? 3 : 1); tries += 1) {
    await step(`${batchId} asks`);
    if ((await funds.checkFunds(batchId)).kind !== 'enough') continue;
    account.grant(batch);
    await Promise.all(chunks.map((_, chunk) => send({ funds, account, step }, { batch, chunk })));
    break;
  }
  await step(`${batchId} ends`);
  await funds.store.batches.end(batchId, { state: 'COMPLETED', atMs: 1, error: null });
}

async function send(
  { funds, account, step }: Pick<Run, 'funds' | 'account' | 'step'>,
  { batch, chunk }: { batch: number; chunk: number },
): Promise<void> {
  const name = `${nameOf(batch)}/${chunk}`;
  await step(`${name} is begun`);
  await funds.setChunk(nameOf(batch), chunk, 'SENDING');
  await step(`${name} is taken`);
  account.take(batch, chunk);
  await step(`${name} is written down`);
  await funds.setChunk(nameOf(batch), chunk, 'CREATED');
}

/** Runs all batches at once; every read, send and answer comes when the scheduler says. */
async function liveAll(store: Store, plans: readonly Plan[], opening: number, s: fc.Scheduler) {
  const account = trueAccount(plans, opening);
  const funds = fundsWorld(store);
  const step: Step = (what) => s.schedule(Promise.resolve(), what);
  Object.defineProperty(funds.world.balances, 'TRX', {
    enumerable: true,
    get: () => String(account.balance),
  });
  funds.world.beforeBalance = () => step('the service is asked');
  funds.world.afterBalance = () => step('the service answers');
  funds.world.pause = () => step('a rest is over');
  await addAll(funds, plans);
  await s.waitFor(
    Promise.all(plans.map((_, batch) => live({ funds, plans, account, step }, batch))),
  );
  return account;
}

describe('in any sequence of events', () => {
  it('granted batches can all be paid to their ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plan, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 0, max: 200 }),
        fc.scheduler(),
        (plans, opening, s) =>
          withStore(async (store) => {
            const account = await liveAll(store, plans, opening, s);
            expect(account.balance).toBeGreaterThanOrEqual(0);
          }),
      ),
      { numRuns: 50 },
    );
  });

  it('of two batches that fit only one by one, exactly one is granted', async () => {
    const half = fc.array(fc.integer({ min: 26, max: 50 }), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(half, half, fc.scheduler(), (one, two, s) =>
        withStore(async (store) => {
          const plans = [one, two].map((chunks) => ({
            chunks,
            fee: 0,
            isScheduled: false,
            waits: false,
          }));
          const account = await liveAll(store, plans, 100, s);
          // The second may come so late that the first has ended; then the money is gone.
          expect(account.granted.size).toBe(1);
        }),
      ),
      { numRuns: 25 },
    );
  });

  it('a batch that fits is granted when nothing moves, and one that does not fit is not', async () => {
    const total = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(total, total, fc.integer({ min: 60, max: 120 }), (held, own, opening) =>
        withStore(async (store) => {
          const funds = fundsWorld(store);
          funds.world.balances = { TRX: String(opening) };
          await funds.add({ batchId: 'held', chunks: [String(held)] });
          await funds.add({ batchId: 'own', chunks: [String(own)] });
          expect((await funds.checkFunds('held')).kind).toBe('enough');
          const { kind } = await funds.checkFunds('own');
          expect(kind).toBe(held + own <= opening ? 'enough' : 'short');
          expect(funds.world.pauses).toEqual([]);
        }),
      ),
      { numRuns: 50 },
    );
  });
});
