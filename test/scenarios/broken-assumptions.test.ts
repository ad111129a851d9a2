import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ledgerWithdrawals } from '../support/oracle.ts';
import { type PlayedRun, type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { QUICK_FENCE_MS } from '../support/quick-fence.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

const fates = ['0000', '0000'] as const;
const IGNORES_KEYS = 'idempotency=ignores-key';

/** An account that has paid nothing before: what is found out about its lookups belongs to one test. */
let played: PlayedStack;
beforeEach(async () => {
  played = await startPlayedStack(sharedFolder());
});
afterEach(() => played.stop());

async function resume({ batchId }: PlayedRun): Promise<void> {
  const { code } = await played.stack.bursar('resume', batchId, '--reason', 'told the payees');
  expect(code).toBe(0);
}

/** More left the account than was ordered, and people are told which rows may be paid twice. */
function expectMoneyMissing({ code, view }: PlayedRun): void {
  const differs = /^BALANCE_DIFFERS: .*Created more than once: chunk 1 \(rows 4 to 5\)\.$/;
  const holds = [{ kind: 'BALANCE', reason: expect.stringMatching(differs) }];
  expect([code, view]).toMatchObject([14, { state: 'SETTLING', holds }]);
}

type BalanceView = Readonly<{
  balance: Readonly<{
    createdAgain: readonly Readonly<{ chunk: number; firstRow: number; lastRow: number }>[];
  }>;
}>;

it('a service that ignores keys and accepts a create after its window: the rows are named, and the batch is not COMPLETED', async () => {
  // A second create was accepted long before the service accepts the first one.
  const delayMs = 3 * QUICK_FENCE_MS;
  const fault = { kind: 'drop-then-accept', delayMs, timestampAt: 'arrival' };
  const run = await played.run({ chunks: [{ fates }, { fates, fault }], modes: IGNORES_KEYS });
  expect(await played.createsOf(run.batchId, 1)).toBe(2);
  expect(await ledgerWithdrawals(played.stack.sandboxUrl)).toHaveLength(6);
  expectMoneyMissing(run);

  await resume(run);
  expect(await run.watch()).toMatchObject({
    code: 14,
    value: {
      state: 'SETTLING',
      needsOperator: [{ chunk: 1, reason: 'TWO_PAYOUTS' }],
      paidTwice: [{ row: 4 }, { row: 5 }],
    },
  });
});

it('a service that ignores keys and never shows its first mass payout: the balance names the rows, a person decides, and the batch is not COMPLETED', async () => {
  const fault = { kind: 'accept-then-drop' };
  const modes = (chunk: number): string =>
    chunk === 1 ? `${IGNORES_KEYS}, lookupByKey=absent` : IGNORES_KEYS;
  const run = await played.run({ chunks: [{ fates }, { fates, fault }], modes });
  expect(await played.createsOf(run.batchId, 1)).toBe(2);
  expectMoneyMissing(run);

  await resume(run);
  const asked = await run.watch();
  expect(asked).toMatchObject({
    code: 14,
    value: { needsOperator: [{ chunk: 1, reason: 'SECOND_PAYOUT_POSSIBLE' }] },
  });
  const shown = await played.control.massPayoutOf(run.batchId, 1);
  expect((await run.resolve(1, 'adopt', shown?.id ?? '')).code).toBe(0);
  await resume(run);
  const ended = await run.watch();
  expect(ended).toMatchObject({ code: 10, value: { state: 'PARTIAL' } });
  const report = JSON.parse(readFileSync(join(run.dir, 'report.json'), 'utf8')) as object;
  expect(report).toMatchObject({
    state: 'PARTIAL',
    balance: { result: 'differs', createdAgain: [{ chunk: 1, firstRow: 4, lastRow: 5 }] },
  });
});

it('a service that ignores keys, and whose lookups miss half of the time: no batch is COMPLETED in which a row was ordered twice', async () => {
  const CHUNKS = 8;
  const fault = { kind: 'accept-then-drop' };
  // The same misses in each run: every lookup draws the next number.
  let drawn = 1;
  const isMissed = (): boolean => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn % 2 === 0;
  };
  const modes = (): string => (isMissed() ? `${IGNORES_KEYS}, lookupByKey=absent` : IGNORES_KEYS);
  const chunks = Array.from({ length: CHUNKS }, () => ({ fates, fault }));
  const { code, view, batchId } = await played.run({ chunks, modes });
  const creates = await Promise.all(chunks.map((_, chunk) => played.createsOf(batchId, chunk)));
  const isTwice = creates.some((count) => count > 1);
  // A person may be asked about lookups like these. Whoever is asked is shown the rows.
  expect([0, 14]).toContain(code);
  expect(code === 0 && isTwice).toBe(false);
  const rows = (await ledgerWithdrawals(played.stack.sandboxUrl)).length;
  expect(rows).toBe(2 * creates.reduce((sum, count) => sum + count, 0));
  expect(code === 0).toBe(view.needsOperator.length === 0);
});

it('a service that ignores keys, and whose lookups miss every second key: rows are ordered twice, and the balance names those rows and no others', async () => {
  const fault = { kind: 'accept-then-drop' };
  const isMissed = (chunk: number): boolean => chunk % 2 === 1;
  const modes = (chunk: number): string =>
    isMissed(chunk) ? `${IGNORES_KEYS}, lookupByKey=absent` : IGNORES_KEYS;
  const chunks = Array.from({ length: 8 }, () => ({ fates, fault }));
  const { code, view, batchId } = await played.run({ chunks, modes });
  const creates = await Promise.all(chunks.map((_, chunk) => played.createsOf(batchId, chunk)));
  const doubled = creates.flatMap((count, chunk) => (count > 1 ? [chunk] : []));
  expect(doubled.length).toBeGreaterThan(0);
  expect(doubled.filter((chunk) => !isMissed(chunk))).toEqual([]);

  expect([code, view]).toMatchObject([14, { state: 'SETTLING', balance: { result: 'differs' } }]);
  const { createdAgain } = (view as unknown as BalanceView).balance;
  // A create that left while the balance was read is named by the next read.
  const named = createdAgain.map(({ chunk }) => chunk);
  expect(named.length).toBeGreaterThan(0);
  expect(doubled).toEqual(expect.arrayContaining(named));
  const rows = (chunk: number) => ({ firstRow: 2 * chunk + 2, lastRow: 2 * chunk + 3 });
  expect(createdAgain).toEqual(named.map((chunk) => ({ chunk, ...rows(chunk) })));
});
