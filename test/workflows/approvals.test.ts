import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { connectEngine } from '../../src/operations/engine/temporal-engine.ts';
import { batchWorkflowId } from '../../src/contract/names.ts';
import { type Question, holdSubject } from '../../src/domain/approval/question.ts';
import type { Approval } from '../../src/domain/approval/statement.ts';
import {
  approvalBy,
  DAY_MS,
  isoOf,
  person,
  policyOf,
  question,
  signed,
} from '../support/approvers.ts';
import { approvedByPasskey, passkeyOf } from '../support/passkeys.ts';
import { eventually } from '../support/eventually.ts';
import { clearPlace } from '../support/temporal/clear-place.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { DIGEST, playBatch } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

let workflowBundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('support/approvals-workflow.ts', import.meta.url)),
    // Workflows of a worker share it, frozen.
    preloadModules: [fileURLToPath(new URL('../../src/domain/approval/p256.ts', import.meta.url))],
    logger: new DefaultLogger('ERROR'),
  });
});

/** Approvals that hold now: workflows have the server's clock. */
const fresh = (name: string, more: Parameters<typeof approvalBy>[1] = {}) =>
  approvalBy(name, {
    issuedAt: isoOf(Date.now()),
    expiresAt: isoOf(Date.now() + DAY_MS),
    ...more,
  });

type Desk = Readonly<{
  approve(approval: unknown): Promise<string | null>;
  result(): Promise<unknown>;
  history(): ReturnType<WorkflowHandle['fetchHistory']>;
}>;

/** Runs the workflow that does nothing but put a question. */
async function withQuestion(asked: Question, use: (desk: Desk) => Promise<void>): Promise<void> {
  const { address, namespace } = sharedTemporal();
  const taskQueue = randomUUID();
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const worker = await Worker.create({ connection: native, namespace, taskQueue, workflowBundle });
  await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const batchId = randomUUID();
    const start = { taskQueue, workflowId: batchWorkflowId(batchId), args: [asked] };
    const engine = await connectEngine({ ...clearPlace(address, namespace), taskQueue });
    const handle = await client.workflow.start('approvals', start);
    await use({
      result: () => handle.result(),
      history: () => handle.fetchHistory(),
      approve: async (approval) =>
        (await engine.approve(batchId, { approval: approval as Approval }))?.code ?? null,
    });
    await engine.close();
  });
  await native.close();
  await connection.close();
}

describe('in a workflow, where there is no crypto, no Buffer and no clock but the history', () => {
  it('signatures are verified in the validator, and a refused update leaves nothing in the history', () =>
    withQuestion(question(), async ({ approve, result, history }) => {
      expect(await approve(signed(fresh('bob'), 'eve'))).toBe('APPROVAL_FORGED');
      expect(await approve(fresh('alice'))).toBe('APPROVAL_BY_SUBMITTER');
      expect(await approve(fresh('bob', { subject: 'sha256:other' }))).toBe('APPROVAL_FOR_ANOTHER');
      expect(await approve(fresh('bob', { expiresAt: isoOf(Date.now() - 1) }))).toBe(
        'APPROVAL_EXPIRED',
      );
      expect(await approve(undefined)).toBe('APPROVAL_UNREADABLE');
      const { events } = await history();
      const accepted = events?.filter((one) => one.workflowExecutionUpdateAcceptedEventAttributes);
      expect(accepted).toEqual([]);

      expect(await approve(fresh('bob', { reason: 'geprüft "\n' }))).toBeNull();
      expect(await approve(fresh('bob'))).toBe('APPROVAL_REPEATED');
      expect(await approve(fresh('carol'))).toBeNull();
      const hold = { n: 1, kind: 'STOP_LOSS', reason: 'ä', by: '', since: '', facts: {} } as const;
      expect(await result()).toBe(holdSubject(question().subject, hold));
      await Worker.runReplayHistory({ workflowBundle }, await history());
    }));

  it.each(['ES256', 'EdDSA'] as const)('so are the signatures of passkeys (%s)', (algorithm) => {
    const people = ['alice', 'bob', 'carol'].map((name) => ({
      ...person(name, ['finance']),
      publicKey: passkeyOf(name, { algorithm }),
    }));
    return withQuestion(question({ policy: policyOf({ people }) }), async (desk) => {
      const { approve, result, history } = desk;
      const byPasskey = (name: string) => approvedByPasskey(fresh(name), { algorithm });
      const { signature } = byPasskey('carol');
      expect(await approve({ ...byPasskey('bob'), signature })).toBe('APPROVAL_FORGED');
      expect(await approve(approvedByPasskey(fresh('bob'), { algorithm, flags: 1 }))).toBe(
        'APPROVAL_FORGED',
      );
      expect(await approve(byPasskey('bob'))).toBeNull();
      expect(await approve(byPasskey('carol'))).toBeNull();
      await result();
      await Worker.runReplayHistory({ workflowBundle }, await history());
    });
  });

  it('a refusal is verified as an approval is', () =>
    withQuestion(question(), async ({ approve, result }) => {
      expect(await approve({ ...fresh('bob'), decision: 'refuse' })).toBe('APPROVAL_FORGED');
      expect(await approve(fresh('bob', { decision: 'refuse' }))).toBeNull();
      await result();
    }));
});

it('an approval is shown as lapsed once it is, without any event then', async () => {
  const world = { readControls: async () => ({ holds: [], approvals: [], policy: policyOf() }) };
  await playBatch(world, async ({ batchId, handle, ask, until }) => {
    await until('it asks', ({ approval }) => (approval?.missing.length ?? 0) > 0);
    await eventually('bob approves in time', async () => {
      const about = { batchId, subject: DIGEST, expiresAt: isoOf(Date.now() + 3_000) };
      const refusal = await ask('approve', { approval: fresh('bob', about), by: 'bob' });
      return refusal === null ? true : undefined;
    });
    const page = async (): Promise<string> => {
      type Metadata = Readonly<{ currentDetails?: string }>;
      const { currentDetails } = await handle.query<Metadata>('__temporal_workflow_metadata');
      return currentDetails ?? '';
    };
    const lapsed = await eventually('the page says so', async () => {
      const now = await page();
      return now.includes('**Expired**') ? now : undefined;
    });
    expect(lapsed).toContain('approval by bob');
    expect(lapsed).toContain('2 more from finance: bob, carol');
  });
});
