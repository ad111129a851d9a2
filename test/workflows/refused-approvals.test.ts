import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { RefusedApproval } from '../../src/contract/approval-activities.ts';
import type { Approval } from '../../src/domain/approval/statement.ts';
import { approvalBy, DAY_MS, isoOf, policyOf, signed, tier } from '../support/approvers.ts';
import { DIGEST, type PlayedBatch, playBatch } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const POLICY = policyOf({ expiresAfterMs: DAY_MS, tiers: [tier(1, { roles: ['finance'] })] });

const saidBy = (batchId: string, name: string, more: Partial<Approval> = {}): Approval =>
  approvalBy(name, {
    batchId,
    subject: DIGEST,
    issuedAt: isoOf(Date.now()),
    expiresAt: isoOf(Date.now() + DAY_MS - 1_000),
    ...more,
  });

/** Plays a batch that waits for one of finance, until the test has it approved. */
async function waiting(
  use: (batch: PlayedBatch, noted: readonly RefusedApproval[]) => Promise<void>,
): Promise<void> {
  const noted: RefusedApproval[] = [];
  const world = {
    readControls: async () => ({ holds: [], approvals: [], policy: POLICY, canceled: null }),
    noteRefusedApproval: async (refused: RefusedApproval) => void noted.push(refused),
  };
  await playBatch(world, async (batch) => {
    await batch.until('it waits', ({ state }) => state === 'AWAITING_APPROVAL');
    await use(batch, noted);
    const approval = saidBy(batch.batchId, 'bob');
    expect(await batch.ask('approve', { approval })).toBeNull();
    expect(await batch.handle.result()).toMatchObject({ state: 'COMPLETED' });
  });
}

/** Updates that the batch let into its history. */
async function accepted(handle: PlayedBatch['handle']): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((one) => one.workflowExecutionUpdateAcceptedEventAttributes).length;
}

describe('an approval that does not count', () => {
  it('is refused, and its name and its sender are stored', () =>
    waiting(async ({ batchId, ask, status }, noted) => {
      const ofBob = saidBy(batchId, 'bob');
      const asked: [object, string][] = [
        [{ approval: signed(ofBob, 'eve') }, 'APPROVAL_FORGED'],
        [{ approval: saidBy(batchId, 'dave'), by: 'dave' }, 'APPROVER_NOT_ENTITLED'],
        [{ approval: saidBy(batchId, 'bob', { subject: 'sha256:e' }) }, 'APPROVAL_FOR_ANOTHER'],
        [{ approval: saidBy(batchId, 'eve', { decision: 'refuse' }) }, 'APPROVER_UNKNOWN'],
      ];
      for (const [input, code] of asked) expect(await ask('approve', input)).toBe(code);
      expect(noted.map(({ by, person, decision, code }) => [by, person, decision, code])).toEqual([
        [null, 'bob', 'approve', 'APPROVAL_FORGED'],
        ['dave', 'dave', 'approve', 'APPROVER_NOT_ENTITLED'],
        [null, 'bob', 'approve', 'APPROVAL_FOR_ANOTHER'],
        [null, 'eve', 'refuse', 'APPROVER_UNKNOWN'],
      ]);
      expect(await status()).toMatchObject({ state: 'AWAITING_APPROVAL', approval: { given: [] } });
    }));

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'yes'],
    ['no approval', {}],
    ['an approval that is null', { approval: null }],
    ['an approval without a field', { approval: { person: 'bob', decision: 'approve' } }],
  ])('is refused, and nothing is stored, when it is %s', (_what, input) =>
    waiting(async ({ ask, handle }, noted) => {
      expect(await ask('approve', input)).toBe('APPROVAL_UNREADABLE');
      expect([await accepted(handle), noted]).toEqual([0, []]);
    }),
  );

  it('is refused, and not kept, when it is far too long', () =>
    waiting(async ({ batchId, ask, handle }, noted) => {
      const approval = signed(saidBy(batchId, 'bob'), 'eve');
      const input = { approval, by: 'x'.repeat(100_000) };
      expect(await ask('approve', input)).toBe('APPROVAL_FORGED');
      expect([await accepted(handle), noted]).toEqual([0, []]);
    }));

  it('is refused, but stored no more, once too many were', () =>
    waiting(async ({ batchId, ask }, noted) => {
      const forged = { approval: signed(saidBy(batchId, 'bob'), 'eve') };
      const ten = Array.from({ length: 10 }, () => forged);
      for (let round = 0; round < 6; round += 1) {
        const answers = await Promise.all(ten.map((one) => ask('approve', one)));
        expect(new Set(answers)).toEqual(new Set(['APPROVAL_FORGED']));
      }
      expect(noted.length).toBeGreaterThanOrEqual(50);
      expect(noted.length).toBeLessThan(60);
    }));
});
