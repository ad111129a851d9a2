import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
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
  batchWorkflowId,
  demandWorkflowId,
  scheduledWorkflowId,
} from '../../src/contract/names.ts';
import type { Approval } from '../../src/domain/approval/statement.ts';
import { openStore } from '../../src/store/index.ts';
import type { RogueCall } from '../adversary/support/rogue-workflow.ts';
import { keyOf, publicKeyOf } from '../support/approvers.ts';
import { eventually } from '../support/eventually.ts';
import { requestCount } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { daysBefore, newScheduleId, putFile, soonRule, untilRun } from '../support/schedules.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';
import {
  anyMessages,
  emptyMessages,
  everyMessage,
  type Message,
  payloadOf,
} from './support/rogue-messages.ts';

// It needs a server: only there a message goes through validators, handlers and activities of a real batch.
jest.setTimeout(600_000);

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

const NAMES = ['alice', 'bob', 'carol'];
const POLICY = {
  BURSAR_OPERATOR_NAME: 'alice',
  BURSAR_OPERATOR_KEY_FILE: 'alice.key',
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

let made = 0;
/** A batch that waits for its approvers. */
async function waitingBatch(): Promise<string> {
  const batchId = newBatchId();
  const file = join(stack.folder, `${batchId}.csv`);
  made += 1;
  writeSample(file, sampleRows({ rows: 6, from: 6 * made, currencies: ['USDT_TRC20'] }));
  const flags = ['--yes', '--detach', '--accept', 'SAME_FILE_AGAIN'];
  expect((await stack.bursar('submit', file, '--id', batchId, ...flags)).code).toBe(8);
  await untilWaiting(batchId);
  return batchId;
}

const untilWaiting = (batchId: string) =>
  eventually('it waits for approvers', async () => {
    const { value } = await stack.json('status', batchId);
    return value['state'] === 'AWAITING_APPROVAL' || undefined;
  });

const creates = () => requestCount(stack.sandboxUrl, 'MASS_CREATE');

/** Who the log names for what was done to a batch. */
async function actorsOf(batchId: string): Promise<string[]> {
  const { code, value } = await stack.json('audit', batchId);
  expect([code, value['whole']]).toEqual([0, true]);
  const entries = value['entries'] as { actor: string; action: string }[];
  return entries.map(({ actor, action }) => `${actor} ${action}`);
}

/** Entries in the name of a person, without a mark that it proves nothing. */
const unproven = (entries: readonly string[]): string[] =>
  entries.filter((entry) => /^(?:alice|bob|carol) (?!\(unsigned\) )/.test(entry));

/** What alice signed before an attack. */
const SUBMITTED: readonly string[] = ['alice submit', 'alice sign-submit'];

/** A batch that is attacked, and what the log had about it before. */
type Attacked = Readonly<{ batchId: string; entries: readonly string[] }>;

const approve = async (batchId: string, name: string): Promise<void> => {
  const { value } = await stack.json('plan', join(stack.folder, `${batchId}.csv`), '--id', batchId);
  const totals = value['currencies'] as { currency: string; total: string }[];
  const total = totals.map((line) => `${line.total}:${line.currency}`).join(',');
  const flags = ['--key', `${name}.key`, '--confirm', total];
  expect((await stack.json('approve', batchId, ...flags)).code).toBe(0);
};

/** A batch that waits, one that a person approved, one that is approved and paused, one that was canceled, and one that has ended. */
async function victims(): Promise<Attacked[]> {
  const [waiting, half, held, canceled, ended] = [
    ...[await waitingBatch(), await waitingBatch(), await waitingBatch()],
    ...[await waitingBatch(), await waitingBatch()],
  ] as [string, string, string, string, string];
  await approve(half, 'bob');
  expect((await stack.bursar('pause', held, '--reason', 'an audit')).code).toBe(0);
  for (const batchId of [held, ended]) {
    await approve(batchId, 'bob');
    await approve(batchId, 'carol');
  }
  expect((await stack.bursar('cancel', canceled, '--reason', 'a wrong file')).code).toBe(0);
  expect((await stack.json('watch', ended)).value['state']).toBe('COMPLETED');
  await stack.json('watch', canceled);
  const all = [waiting, half, held, canceled, ended];
  return Promise.all(all.map(async (batchId) => ({ batchId, entries: await actorsOf(batchId) })));
}

/** A run of a schedule that alice signed, and whose batch waits for its approvers. */
async function scheduledRun() {
  const scheduleId = newScheduleId();
  const { cron, nominal: next } = soonRule(3_600_000);
  const nominal = daysBefore(next, 1);
  putFile(stack, `${scheduleId}.csv`);
  const rule = ['--cron', cron, '--timezone', 'UTC', '--file', `${scheduleId}.csv`];
  const create = ['schedule', 'create', scheduleId, ...rule, '--yes'];
  expect((await stack.bursar(...create)).code).toBe(0);
  const demand = ['--run', nominal, '--reason', 'rent is due', '--yes'];
  expect((await stack.bursar('schedule', 'trigger', scheduleId, ...demand)).code).toBe(0);
  const { batchId } = await untilRun(stack, { scheduleId, nominal, state: 'RUNNING' });
  await untilWaiting(batchId);
  return { scheduleId, batchId, workflowId: demandWorkflowId(scheduleId, nominal) };
}

/** Everything that people signed about the batches: a client can read it in Temporal, and hand it in again. */
async function statementsOf(attacked: readonly Attacked[]): Promise<Approval[]> {
  const store = await openStore(stack.env.BURSAR_STORE_URL ?? '');
  const given = await Promise.all(
    attacked.map(({ batchId }) => store.approvals.statements(batchId)),
  );
  await store.close();
  return given.flat().map(({ approval }) => approval);
}

const MESSAGE_MS_MAX = 5_000;
const CANCELS = 40;
const ATTACKS = 60;
const ATTACKS_MS_MAX = 240_000;
/** With fewer in that time the test fails: it would prove nothing. */
const ATTACKS_MIN = 20;

async function deliver({ workflowId, kind, name, payload }: Message): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const send = async (): Promise<unknown> => {
    if (kind === 'SIGNAL') return handle.signal(name, payload);
    if (kind === 'QUERY') return handle.query(name, payload);
    return handle.executeUpdate(name, { args: [payload] });
  };
  // What is refused, and what gets no answer, is as good: the ledger and the log decide.
  await connection.withDeadline(Date.now() + MESSAGE_MS_MAX, send).catch(() => undefined);
}

it('no messages of a client without a key, in any order, pay a batch or enter the log in the name of a person', async () => {
  const run = await scheduledRun();
  const ofRun = { batchId: run.batchId, entries: await actorsOf(run.batchId) };
  const attacked = [...(await victims()), ofRun];
  const statements = await statementsOf(attacked);
  expect(statements.map(({ person }) => person)).toEqual(expect.arrayContaining(NAMES));
  const before = await creates();
  const every = await everyMessage();
  // A cancel ends a batch, so that comes last.
  const random = every.filter(({ name }) => name !== 'cancel');
  const names = random.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['approve', 'resolve']));
  const known = {
    batchIds: attacked.map(({ batchId }) => batchId),
    others: [
      housekeepingWorkflowId(stack.env.BURSAR_TASK_QUEUE ?? ''),
      run.workflowId,
      scheduledWorkflowId(run.scheduleId),
    ],
    messages: random,
    names: NAMES,
    statements,
  };
  const messages = anyMessages(known);
  const holds = async (): Promise<void> => {
    expect(await creates()).toBe(before);
    for (const { batchId, entries } of attacked) {
      const more = (await actorsOf(batchId)).slice(entries.length);
      expect([batchId, unproven(more)]).toEqual([batchId, []]);
    }
  };
  await Promise.all(emptyMessages(known).map(deliver));
  await holds();
  let done = 0;
  const sent = new Set<string>();
  const targets = new Set<string>();
  await fc.assert(
    fc.asyncProperty(messages, async (some) => {
      await Promise.all(some.map(deliver));
      for (const { name, workflowId } of some) {
        sent.add(name);
        targets.add(workflowId);
      }
      await holds();
      done += 1;
    }),
    // What was sent stays sent, so that a shorter attack cannot be tried.
    { numRuns: ATTACKS, interruptAfterTimeLimit: ATTACKS_MS_MAX, endOnFailure: true },
  );
  expect(done).toBeGreaterThanOrEqual(ATTACKS_MIN);
  expect([...sent].sort()).toEqual([...new Set(names)].sort());
  expect([...targets]).toContain(run.workflowId);
  const cancel = { kind: 'UPDATE', name: 'cancel', payload: { by: 'bob', reason: 'x' } } as const;
  for (const { batchId } of attacked) {
    await deliver({ ...cancel, workflowId: batchWorkflowId(batchId) });
  }
  await holds();
  // None of them is frozen by a message that its workflow cannot read.
  for (const id of [...attacked.map(({ batchId }) => batchWorkflowId(batchId)), run.workflowId]) {
    await eventually(`${id} ends`, () => hasEnded(id));
  }
  await holds();
});

async function hasEnded(workflowId: string): Promise<true | undefined> {
  const { status } = await client.workflow.getHandle(workflowId).describe();
  return status.name === 'RUNNING' ? undefined : true;
}

it('no payload of a cancel pays a batch, freezes it, or enters the log in the name of a person', async () => {
  const batchId = await waitingBatch();
  expect((await stack.bursar('pause', batchId, '--reason', 'an audit')).code).toBe(0);
  for (const name of ['bob', 'carol']) await approve(batchId, name);
  const entries = await actorsOf(batchId);
  const before = await creates();
  const statements = await statementsOf([{ batchId, entries }]);
  const payloads = fc.sample(payloadOf('cancel', batchId, { names: NAMES, statements }), CANCELS);
  const cancel = { kind: 'UPDATE', name: 'cancel', workflowId: batchWorkflowId(batchId) } as const;
  // The first cancel in its own form ends the batch: it comes late, and in the name of a person.
  for (const payload of payloads.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    await deliver({ ...cancel, payload });
  }
  expect((await stack.json('watch', batchId)).value['state']).toBe('CANCELED');
  expect(await creates()).toBe(before);
  const more = (await actorsOf(batchId)).slice(entries.length);
  expect([more.length > 0, unproven(more)]).toEqual([true, []]);
});

function orderOf(payload: unknown): number {
  const by = (payload as Readonly<{ by?: unknown }> | null | undefined)?.by;
  if (typeof by !== 'string') return 0;
  return NAMES.includes(by) ? 1 : 2;
}

it('a workflow of ten lines pays no batch that people did not approve', async () => {
  const batchId = await waitingBatch();
  const before = await creates();
  const { value } = await stack.json('status', batchId);
  const send = {
    batchId,
    chunk: 0,
    digest: value['digest'],
    proveLookup: false,
    stopped: null,
    wasCreated: false,
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
  const named = unproven(await actorsOf(batchId));
  expect(named.toSorted()).toEqual(SUBMITTED.toSorted());
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
        taskQueue,
        workflowId: taskQueue,
        args: [stack.env.BURSAR_TASK_QUEUE, calls],
      }),
    );
  } finally {
    await native.close();
  }
}
