import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { startAnswerProxy } from '../support/answer-proxy.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let proxy: Awaited<ReturnType<typeof startAnswerProxy>>;

beforeAll(async () => {
  proxy = await startAnswerProxy(() => stack.sandboxUrl);
  stack = await startTestStack({
    folder: sharedFolder(),
    env: { BURSAR_API_BASE_URL: proxy.url },
  });
});
afterAll(async () => {
  await stack.stop();
  await proxy.close();
});

/** Everything that Temporal keeps of a workflow, as text. */
async function historyText(client: Client, workflowId: string): Promise<string> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString('utf8'));
    else if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(events);
  return texts.join('\n');
}

it('neither rows of the file nor texts of the service in place of a code reach a history', async () => {
  const rows = sampleRows({ rows: 3, currencies: ['USDT_TRC20'] });
  const chatty = `${rows[0]?.address} is on our list`;
  proxy.answerWith((path) =>
    path === DEFAULT_ENDPOINTS.MASS_CREATE
      ? { httpStatus: 400, body: { traceId: chatty, errorCode: chatty, message: chatty } }
      : undefined,
  );
  const file = join(stack.folder, 'payroll.csv');
  writeSample(file, rows);
  const { code, value } = await stack.json('submit', file, '--id', stack.batchId, '--yes');
  expect([code, value['state']]).toEqual([11, 'FAILED']);

  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS });
  const client = new Client({ connection });
  for (const id of [batchWorkflowId(stack.batchId), partitionWorkflowId(stack.batchId, 0)]) {
    const kept = await historyText(client, id);
    expect(kept).toContain(stack.batchId);
    for (const { address } of rows) expect(kept).not.toContain(address);
  }
  await connection.close();
});
