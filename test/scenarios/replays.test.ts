import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { buildUrl } from '../support/child.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });
jest.setTimeout(600_000);

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

const workflowBundle = { codePath: fileURLToPath(buildUrl('workflow-bundle.js')) };

let stack: TestStack;
let histories: ReadonlyMap<string, History>;

/** The histories of a batch that was paused and resumed, and of its partition. */
beforeAll(async () => {
  stack = await startTestStack({ folder: sharedFolder() });
  const file = join(stack.folder, 'payroll.csv');
  writeSample(file, sampleRows({ rows: 5, currencies: ['USDT_TRC20', 'USDC_ERC20'] }));
  const at = new Date(Date.now() + (await leadMsFor(stack, 3))).toISOString();
  const { batchId } = stack;
  await stack.bursar('submit', file, '--id', batchId, '--at', at, '--yes', '--detach');
  for (const act of ['pause', 'resume']) {
    expect((await stack.bursar(act, batchId, '--reason', 'a test')).code).toBe(0);
  }
  expect((await stack.bursar('watch', batchId)).code).toBe(0);
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS });
  const client = new Client({ connection });
  const ids = [batchWorkflowId(batchId), partitionWorkflowId(batchId, 0)];
  const fetched = ids.map(async (id) => {
    const history: History = await client.workflow.getHandle(id).fetchHistory();
    return [id, history] as const;
  });
  histories = new Map(await Promise.all(fetched));
  await connection.close();
});
afterAll(() => stack.stop());

const replay = (id: string, history: History): Promise<void> =>
  Worker.runReplayHistory({ workflowBundle }, history, id);

it('a batch and its partition replay their histories', async () => {
  expect(histories.size).toBe(2);
  for (const [id, history] of histories) {
    expect(history.events?.length).toBeGreaterThan(10);
    await replay(id, history);
  }
});

it('a history with other steps fails the replay', async () => {
  const [[id, history] = ['', {}]] = histories;
  const changed = structuredClone(history);
  const step = changed.events?.find((event) => event.activityTaskScheduledEventAttributes);
  Object.assign(step?.activityTaskScheduledEventAttributes?.activityType ?? {}, { name: 'other' });
  await expect(replay(id, changed)).rejects.toThrow(/[Nn]ondeterminism|determinis/);
});
