import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { openCodec } from '../../src/codec/temporal-access.ts';
import { addKey, makeKeyRing, readKeyRing } from '../../src/config.ts';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { HEADER_STORE } from '../../src/contract/store.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import { QUICK_FENCE } from '../support/quick-fence.ts';
import { readRawHistories } from '../support/raw-history.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const NO_RING = { BURSAR_TEMPORAL_KEY_RING_FILE: '' };

// On a server of its own: who lists batches without keys cannot read what others have encrypted.
let temporal: OwnTemporal;
let stack: TestStack;
let ring: string;
/** A batch that began before there was a key, and waits. */
const early = newBatchId();

beforeAll(async () => {
  const folder = sharedFolder();
  temporal = await startOwnTemporal(folder);
  stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: { ...QUICK_FENCE, BURSAR_API_RESEND: 'operator' },
  });
  await submitForLater(early, 0);
  // An activity that is under way would be refused: its input is in clear.
  await eventually('it waits for its time, and no activity is under way', async () => {
    const { value } = await stack.json('status', early);
    return value['state'] === 'SCHEDULED' || undefined;
  });
  ring = join(folder, 'key-ring');
  makeKeyRing(ring, Date.now());
  for (const name of ['worker', 'bridge'] as const) await stack.stopOne(name);
  Object.assign(stack.env, { BURSAR_TEMPORAL_KEY_RING_FILE: ring });
  for (const name of ['bridge', 'worker'] as const) await stack.start(name);
});
afterAll(async () => {
  await stack.stop();
  await temporal.stop();
});

function writeFile(batchId: string, from: number): string {
  const file = join(stack.folder, `${batchId}.csv`);
  writeSample(file, sampleRows({ rows: 3, from, currencies: ['USDT_TRC20'] }));
  return file;
}

/** Starts a batch that is due in a day. */
async function submitForLater(batchId: string, from: number): Promise<void> {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const file = writeFile(batchId, from);
  const { code } = await stack.bursar(
    ...['submit', file, '--id', batchId, '--at', at, '--yes', '--detach'],
  );
  expect(code).toBe(8);
}

async function cancel(batchId: string): Promise<void> {
  expect((await stack.bursar('cancel', batchId, '--reason', 'a test')).code).toBe(0);
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS });
  const { workflow } = new Client({
    connection,
    dataConverter: { payloadCodecs: [openCodec(ring, 'default')] },
  });
  const result = await workflow.getHandle(batchWorkflowId(batchId)).result();
  expect(result).toMatchObject({ state: 'CANCELED' });
  await connection.close();
}

const historyOf = async (...ids: string[]) => readRawHistories(stack.env.TEMPORAL_ADDRESS, ids);

it('no data of a batch in Temporal can be read without the keys, not even the reason of a failure', async () => {
  const { batchId } = stack;
  const file = writeFile(batchId, 10);
  await sandboxControl(stack.sandboxUrl).fault({
    target: 'MASS_CREATE',
    kind: 'drop-before',
    next: 1,
  });
  const submitted = await stack.json('submit', file, '--id', batchId, '--yes');
  expect(submitted).toMatchObject({ code: 14, value: { needsOperator: [{ chunk: 0 }] } });
  const answer = (...how: string[]) =>
    stack.bursar('resolve', batchId, '0', ...how, '--reason', 'looked');
  const refused = await answer('adopt', 'there-is-no-such-id');
  // Whoever has the keys reads the whole story.
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('ADOPT_DIFFERS') });
  expect((await answer('not-created')).code).toBe(0);
  expect((await stack.bursar('watch', batchId)).code).toBe(0);

  const [batch, partition] = await historyOf(
    batchWorkflowId(batchId),
    partitionWorkflowId(batchId, 0),
  );
  for (const raw of [batch, partition]) {
    expect(raw?.encodings.length).toBeGreaterThan(5);
    expect([...new Set(raw?.encodings)]).toEqual(['binary/encrypted']);
    expect(raw?.text).not.toContain('sha256');
  }
  expect(partition?.failures).toContain('Encoded failure');
  expect(partition?.text).not.toContain('does not know it');
  expect(partition?.text).not.toContain('there-is-no-such-id');
});

it('a batch that began in clear goes on, and its later data are encrypted', async () => {
  await cancel(early);
  const [raw] = await historyOf(batchWorkflowId(early));
  expect(raw?.encodings.at(0)).toBe('json/plain');
  expect(raw?.encodings.at(-1)).toBe('binary/encrypted');
});

describe('a batch that waits', () => {
  const batchId = newBatchId();
  beforeAll(() => submitForLater(batchId, 20));

  it('is left alone by a command without the keys, which names the missing ones', async () => {
    for (const args of [
      ['status', batchId],
      ['pause', batchId, '--reason', 'a test'],
    ]) {
      const { code, err } = await stack.bursarWith(NO_RING, ...args);
      expect([code, err]).toEqual([2, expect.stringContaining('KEY_RING_MISSING')]);
    }
    expect((await stack.json('status', batchId)).value).toMatchObject({ holds: [] });
  });

  it('goes on when the keys change and a worker is killed', async () => {
    const [first] = readKeyRing(ring);
    const [second] = addKey(ring, Date.now(), 'first');
    // The worker runs with the old ring, and meets the new key in this.
    expect((await stack.bursar('pause', batchId, '--reason', 'a test')).code).toBe(0);
    await stack.kill('worker');
    await stack.start('worker');
    await cancel(batchId);
    const [raw] = await historyOf(batchWorkflowId(batchId));
    expect([...new Set(raw?.encodings)]).toEqual(['binary/encrypted']);
    expect(raw?.keyIds).toEqual([first.id, second.id]);
  });
});

it('each activity of an encrypted batch names its store, so that a worker with another one refuses it', async () => {
  const batchId = newBatchId();
  await submitForLater(batchId, 40);
  await cancel(batchId);
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS });
  const handle = new Client({ connection }).workflow.getHandle(batchWorkflowId(batchId));
  const { events } = await handle.fetchHistory();
  await connection.close();
  const scheduled = (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: one }) => one ?? [],
  );
  expect(scheduled.length).toBeGreaterThan(2);
  for (const { header } of scheduled) expect(header?.fields).toHaveProperty(HEADER_STORE);
});

describe('a client without the keys', () => {
  const batchId = newBatchId();
  let rogue: Client;
  beforeAll(async () => {
    const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS });
    // It writes in clear; that the test can read what it gets changes nothing.
    const { decode } = openCodec(ring, 'default');
    rogue = new Client({
      connection,
      dataConverter: { payloadCodecs: [{ encode: async (payloads) => payloads, decode }] },
    });
    await stack.stopOne('sandbox');
    const file = writeFile(batchId, 30);
    await stack.bursar('submit', file, '--id', batchId, '--yes', '--detach', '--no-preflight');
    await eventually('it asks for the fees', async () => {
      const { value } = await stack.json('status', batchId);
      return ['PLANNED', 'CHECKING_FUNDS'].includes(String(value['state'])) || undefined;
    });
  });
  afterAll(() => rogue.connection.close());

  const isRefused = expect.objectContaining({
    cause: expect.objectContaining({ type: 'PAYLOAD_IN_CLEAR' }),
  });

  it('starts no batch: it fails at once, and is not in the store', async () => {
    const stolen = newBatchId();
    const handle = await rogue.workflow.start('payoutBatch', {
      workflowId: batchWorkflowId(stolen),
      taskQueue: stack.env['BURSAR_TASK_QUEUE'],
      args: [{ batchId: stolen, accountRef: 'main', file: { name: 'x.csv', sha256: 'f' } }],
    });
    await expect(handle.result()).rejects.toEqual(isRefused);
    expect((await stack.json('rows', stolen)).value['code']).toBe('BATCH_NOT_FOUND');
    expect((await stack.bursar('list')).code).toBe(0);
  });

  it('neither updates, nor queries, nor signals a batch, which goes on under any setting', async () => {
    const handle = rogue.workflow.getHandle(batchWorkflowId(batchId));
    const act = { by: 'mallory', reason: 'none' };
    for (const name of ['cancel', 'pause']) {
      await expect(handle.executeUpdate(name, { args: [act] })).rejects.toEqual(isRefused);
    }
    await expect(handle.query('status', act)).rejects.toThrow();
    const hold = { n: 1, kind: 'PAUSE', reason: 'x', by: 'mallory', since: '2026-11-21T00:00:00Z' };
    const news = { partition: 0, sent: false, halt: 'mallory', needsOperator: [7], hold };
    await handle.signal('progress', news);
    await eventually(
      'the signal is in the history',
      async () =>
        (await handle.fetchHistory()).events?.some(
          ({ markerRecordedEventAttributes: marker }) => marker !== undefined && marker !== null,
        ) || undefined,
    );
    expect((await stack.json('status', batchId)).value).toMatchObject({ holds: [] });
    // A replay must drop the signal as the first run did.
    for (const required of ['false', 'true']) {
      await stack.kill('worker');
      Object.assign(stack.env, { BURSAR_ENCRYPTION_REQUIRED: required });
      await stack.start('worker');
      const { value } = await stack.json('status', batchId);
      expect([value['holds'], value['worker'], value['needsOperator']]).toEqual([
        [],
        undefined,
        [],
      ]);
    }
    await stack.start('sandbox');
    const { code, value } = await stack.json('watch', batchId);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
  });
});
