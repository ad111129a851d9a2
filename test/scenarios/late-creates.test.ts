import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ledgerWithdrawals } from '../support/oracle.ts';
import { type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { QUICK_FENCE_MS } from '../support/quick-fence.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

const fates = ['0000', '0000'] as const;

let played: PlayedStack;

beforeAll(async () => {
  played = await startPlayedStack(sharedFolder());
});
afterAll(() => played.stop());

it('a service that ignores keys and accepts a create after its window: the rows are named, and the batch is not COMPLETED', async () => {
  // A second create was accepted long before the service accepts the first one.
  const delayMs = 3 * QUICK_FENCE_MS;
  const fault = { kind: 'drop-then-accept', delayMs, timestampAt: 'arrival' };
  const chunks = [{ fates }, { fates, fault }];
  const run = await played.run({ chunks, modes: 'idempotency=ignores-key' });
  expect(await played.createsOf(run.batchId, 1)).toBe(2);
  expect(await ledgerWithdrawals(played.stack.sandboxUrl)).toHaveLength(6);
  const differs = /^BALANCE_DIFFERS: .*Created more than once: chunk 1 \(rows 4 to 5\)\.$/;
  expect([run.code, run.view]).toMatchObject([
    14,
    { state: 'SETTLING', holds: [{ kind: 'BALANCE', reason: expect.stringMatching(differs) }] },
  ]);

  const resume = await played.stack.bursar('resume', run.batchId, '--reason', 'told the payees');
  expect(resume.code).toBe(0);
  expect(await run.watch()).toMatchObject({
    code: 14,
    value: {
      state: 'SETTLING',
      needsOperator: [{ chunk: 1, reason: 'TWO_PAYOUTS' }],
      paidTwice: [{ row: 4 }, { row: 5 }],
    },
  });
});
