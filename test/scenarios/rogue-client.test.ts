import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import fc from 'fast-check';
import { housekeepingWorkflowId } from '../../src/contract/housekeeping.ts';
import {
  aftercareWorkflowId,
  batchWorkflowId,
  partitionWorkflowId,
} from '../../src/contract/names.ts';
import type { RogueCall } from '../adversary/support/rogue-workflow.ts';
import { isoOf, keyOf, publicKeyOf } from '../support/approvers.ts';
import { eventually } from '../support/eventually.ts';
import { requestCount } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

// It needs a server: only there a message goes through validators, handlers and activities of a real batch.
jest.setTimeout(600_000);

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

const NAMES = ['alice', 'bob', 'carol'];
const POLICY = {
  ...{ BURSAR_OPERATOR_NAME: 'alice', BURSAR_OPERATOR_KEY_FILE: 'alice.key' },
  BURSAR_APPROVAL_TIERS: JSON.stringify([{ above: '0', approvals: 2, roles: ['finance'] }]),
  BURSAR_APPROVAL_PEOPLE: JSON.stringify(
    NAMES.map((name) => ({ name, public_key: publicKeyOf(name), roles: ['finance'] })),
  ),
};

let stack: TestStack;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  stack = await startTestStack({ folder: sharedFolder(), env: POLICY });
  for (const name of NAMES) {
    const pem = keyOf(name).export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(stack.folder, `${name}.key`), pem, { mode: 0o600 });
  }
  const { address, namespace } = sharedTemporal();
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
});
afterAll(async () => {
  await connection.close();
  await stack.stop();
});

/** A batch that waits for its approvers. */
async function waitingBatch(): Promise<string> {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, sampleRows({ rows: 6, currencies: ['USDT_TRC20'] }));
  const flags = ['--yes', '--detach', '--accept', 'SAME_FILE_AGAIN'];
  expect((await stack.bursar('submit', file, '--id', batchId, ...flags)).code).toBe(8);
  await eventually('it waits for approvers', async () => {
    const { value } = await stack.json('status', batchId);
    return value['state'] === 'AWAITING_APPROVAL' || undefined;
  });
  return batchId;
}

const creates = () => requestCount(stack.sandboxUrl, 'MASS_CREATE');

/** Who the log names for what was done to a batch. */
async function actorsOf(batchId: string): Promise<string[]> {
  const { code, value } = await stack.json('audit', batchId);
  expect([code, value['whole']]).toEqual([0, true]);
  const entries = value['entries'] as { actor: string; action: string }[];
  return entries.map(({ actor, action }) => `${actor} ${action}`);
}

/** Entries of people who signed nothing; alice signed the submit. */
const unproven = (entries: readonly string[]): string[] =>
  entries.filter((entry) => /^(?:alice|bob|carol) (?!\(unsigned\)|submit|sign-submit)/.test(entry));

type Kind = 'SIGNAL' | 'UPDATE' | 'QUERY';

/** Every message that a workflow of the engine takes, as its contract names it. */
async function everyMessage(): Promise<Readonly<{ kind: Kind; name: string }>[]> {
  const folder = fileURLToPath(new URL('../../src/contract/', import.meta.url));
  const modules = await Promise.all(
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => import(join(folder, name)) as Promise<object>),
  );
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([constant, name]) => {
      const [kind = ''] = constant.split('_');
      const isMessage = ['SIGNAL', 'UPDATE', 'QUERY'].includes(kind) && typeof name === 'string';
      return isMessage ? [{ kind: kind as Kind, name }] : [];
    }),
  );
}

/** What a message may carry: acts and answers in the names of people, and garbage. */
function anyPayload(batchId: string): fc.Arbitrary<unknown> {
  const by = fc.constantFrom(...NAMES, 'Bursar', 'Temporal');
  const reason = fc.constantFrom('as agreed', 'approved', '');
  const approval = fc.record({
    ...{ version: fc.constant(1), batchId: fc.constant(batchId), person: by },
    ...{ decision: fc.constantFrom('approve', 'refuse', 'not-created'), subject: fc.string() },
    ...{
      reason,
      issuedAt: fc.constant(isoOf(Date.now())),
      signature: fc.constantFrom(null, 'AA=='),
    },
    expiresAt: fc.constant(isoOf(Date.now() + 3_600_000)),
  });
  const hold = fc.record({
    ...{ n: fc.nat(3), kind: fc.constantFrom('PAUSE', 'APPROVAL', 'FEE_DRIFT'), reason, by },
    ...{ since: fc.constant(isoOf(Date.now())), facts: fc.constant({}) },
  });
  const chunk = fc.nat(3);
  return fc.oneof(
    fc.record({ by, reason }),
    fc.record({ by, reason, hold: fc.oneof(hold, fc.record({ n: fc.nat(3) })) }),
    fc.record({ approval, by }),
    fc.record({ by, reason, chunk, answer: fc.constantFrom('not-created', 'abandon', 'adopt') }),
    fc.record({
      partition: chunk,
      needsOperator: fc.array(chunk),
      hold,
      kind: fc.constant('held'),
    }),
    fc.anything({ maxDepth: 2 }),
  );
}

const MESSAGE_MS_MAX = 5_000;
const EACH = 8;

async function deliver(
  handle: WorkflowHandle,
  { kind, name }: Readonly<{ kind: Kind; name: string }>,
  payload: unknown,
): Promise<void> {
  const send = async (): Promise<unknown> => {
    if (kind === 'SIGNAL') return handle.signal(name, payload);
    if (kind === 'QUERY') return handle.query(name, payload);
    return handle.executeUpdate(name, { args: [payload] });
  };
  // What is refused, and what gets no answer, is as good: the ledger and the log decide.
  await connection.withDeadline(Date.now() + MESSAGE_MS_MAX, send).catch(() => undefined);
}

it('no message of a client without a key pays a batch, or stands in the log in the name of a person', async () => {
  const batchId = await waitingBatch();
  const before = await creates();
  const messages = await everyMessage();
  expect(messages.map(({ name }) => name)).toEqual(expect.arrayContaining(['approve', 'resolve']));
  const targets = [
    ...[batchWorkflowId(batchId), partitionWorkflowId(batchId, 0), aftercareWorkflowId(batchId)],
    housekeepingWorkflowId(stack.env.BURSAR_TASK_QUEUE ?? ''),
  ];
  const payloads = fc.sample(anyPayload(batchId), { numRuns: EACH * messages.length, seed: 7 });
  // A cancel ends the batch, so that comes last.
  const ordered = messages.toSorted(
    (a, b) => Number(a.name === 'cancel') - Number(b.name === 'cancel'),
  );
  for (const [i, message] of ordered.entries()) {
    for (const payload of payloads.slice(i * EACH, (i + 1) * EACH)) {
      const handles = targets.map((id) => client.workflow.getHandle(id));
      await Promise.all(handles.map((handle) => deliver(handle, message, payload)));
    }
  }
  expect(await creates()).toBe(before);
  expect(unproven(await actorsOf(batchId))).toEqual([]);
});

it('a workflow of ten lines pays no batch that people did not approve', async () => {
  const batchId = await waitingBatch();
  const before = await creates();
  const { value } = await stack.json('status', batchId);
  const send = {
    ...{ batchId, chunk: 0, digest: value['digest'], proveLookup: false },
    ...{ stopped: null, wasCreated: false },
  };
  const by = { batchId, by: 'bob', reason: 'approved' };
  const calls: RogueCall[] = [
    { name: 'sendChunk', input: send },
    { name: 'releaseHold', input: { ...by, n: 1 } },
    { name: 'releaseApprovedHold', input: { batchId, n: 1 } },
    { name: 'resumeBatch', input: { ...by, rulesToo: true } },
    { name: 'releaseBatch', input: { batchId } },
    { name: 'sendChunk', input: send },
    {
      name: 'reportBatch',
      input: { batchId, unsentReason: null, canceled: false, error: null },
    },
  ];
  const ends = await asRogue(calls);
  expect(ends).toHaveLength(calls.length);
  expect(ends[0]).toContain('"kind":"held"');
  expect(ends.at(-1)).not.toContain('COMPLETED');
  expect(await creates()).toBe(before);
  expect(unproven(await actorsOf(batchId))).toEqual([]);
  expect((await stack.bursar('verify', batchId)).code).not.toBe(15);
});

/** Runs the ten lines in a worker of their own. */
async function asRogue(calls: readonly RogueCall[]): Promise<string[]> {
  const { address, namespace } = sharedTemporal();
  const native = await NativeConnection.connect({ address });
  try {
    const taskQueue = `rogue-${newBatchId()}`;
    const path = new URL('../adversary/support/rogue-workflow.ts', import.meta.url);
    const workflowBundle = await bundleWorkflowCode({ workflowsPath: fileURLToPath(path), logger });
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle,
    });
    return await worker.runUntil(
      client.workflow.execute('rogue', {
        ...{ taskQueue, workflowId: taskQueue },
        args: [stack.env.BURSAR_TASK_QUEUE, calls],
      }),
    );
  } finally {
    await native.close();
  }
}
