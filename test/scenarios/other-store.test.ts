import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { servedStore } from '../../src/operations/engine/served-store.ts';
import { batchWorkflowId } from '../../src/contract/names.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { requestCount } from '../support/oracle.ts';
import { QUICK_FENCE } from '../support/quick-fence.ts';
import { type SampleRow, sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const CHUNK_ROWS = 2;
const CHUNKS = 16;
const REFUSED_MS_MAX = 5_000;
const NEEDS_OPERATOR = defineSearchAttributeKey('BursarNeedsOperator', 'BOOL');

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

const startStack = async (without: readonly 'worker'[] = []): Promise<TestStack> => {
  stack = await startTestStack({
    folder: temporaryFolder(),
    without,
    env: {
      ...QUICK_FENCE,
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '2',
      BURSAR_SANDBOX_DELAY_MS_CREATE: '300',
      BURSAR_WATCH_EVERY_MS: '1000',
    },
  });
  return stack;
};

type Batch = Readonly<{ batchId: string; rows: readonly SampleRow[] }>;

async function begin(running: TestStack, count: number, failEvery = 0): Promise<Batch[]> {
  const batches: Batch[] = [];
  for (let at = 0; at < count; at += 1) {
    const batchId = newBatchId();
    const rows = sampleRows({
      rows: CHUNKS * CHUNK_ROWS,
      from: at * CHUNKS * CHUNK_ROWS,
      failEvery,
      currencies: ['USDT_TRC20'],
    });
    const file = join(running.folder, `${batchId}.csv`);
    writeSample(file, rows);
    const { code, err } = await running.bursar(
      'submit',
      file,
      '--id',
      batchId,
      '--yes',
      '--detach',
    );
    expect([code, err]).toEqual([8, expect.any(String)]);
    batches.push({ batchId, rows });
  }
  return batches;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = Date.now();
  await work();
  return Date.now() - startedMs;
}

/** How Temporal shows the workflow of a batch. */
async function shown({ batchId }: Batch) {
  const connection = await Connection.connect({ address: sharedTemporal().address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(batchWorkflowId(batchId));
    const { status, typedSearchAttributes } = await handle.describe();
    return { status: status.name, flag: typedSearchAttributes.get(NEEDS_OPERATOR) };
  } finally {
    await connection.close();
  }
}

/** Whether housekeeping keeps a proof of lookups. */
async function servedLookup({ env }: TestStack): Promise<boolean> {
  const connection = await Connection.connect({ address: sharedTemporal().address });
  try {
    const queue = (env as Record<string, string>)['BURSAR_TASK_QUEUE'] ?? '';
    const served = await servedStore(new Client({ connection }), queue);
    return served?.lookup !== undefined;
  } finally {
    await connection.close();
  }
}

const isFlagged = (batch: Batch, flag: boolean) =>
  eventually(
    `the flag of ${batch.batchId} is ${flag}`,
    async () => (await shown(batch)).flag === flag || undefined,
  );

async function expectCompleted(running: TestStack, batches: readonly Batch[]): Promise<void> {
  for (const { batchId } of batches) {
    const { code, value } = await running.json('watch', batchId);
    expect([code, value['state']]).toEqual([0, 'COMPLETED']);
  }
  const all = batches.flatMap(({ rows }) => rows);
  const dirs = batches.map(({ batchId }) => join(running.folder, 'runs', batchId));
  expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(batches.length * CHUNKS);
  if (batches.length === 1) await expectExactlyOnce(running.sandboxUrl, dirs[0] ?? '', [...all]);
}

const DELETED = ['', '-wal', '-shm'];
const deleteStore = ({ folder }: TestStack): void => {
  for (const suffix of DELETED) rmSync(join(folder, `store.db${suffix}`), { force: true });
};

/** The settings of somebody who starts programs in another folder, on the same task queue. */
const elsewhere = (): Record<string, string> => {
  const folder = temporaryFolder();
  return {
    BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
    BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    BURSAR_REPORT_DIR: join(folder, 'runs'),
  };
};

/** Starts a bridge elsewhere, and waits until it takes no webhook. */
async function refusedByBridge(running: TestStack): Promise<void> {
  const there = { ...elsewhere(), BURSAR_BRIDGE_LISTEN: '127.0.0.1:0' };
  const bridge = await running.startElsewhere('bridge', there);
  const [url] = /http:\S+/.exec(bridge.output()) ?? [];
  const token = readFileSync(join(running.folder, 'bridge-token'), 'utf8').trim();
  await eventually('the bridge takes no webhook', async () => {
    const { status } = await fetch(`${url}/hooks/${token}`, { method: 'POST', body: '{}' });
    return status === 503 || undefined;
  });
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
    refusal: 'STORE_IS_ANOTHER',
  });
}

/** Gives a command again until no worker is listed with the store that it is about: Temporal lists one that ended for a while. */
const onceNotAtWork = (command: () => ReturnType<TestStack['json']>) =>
  eventually('no worker is listed with the other store', async () => {
    const ran = await command();
    return ran.value['code'] === 'STORE_AT_WORK' ? undefined : ran;
  });

describe('programs with another store on the same task queue', () => {
  it('worker and bridge refuse within 5 seconds, and no batch ends by it', async () => {
    const running = await startStack();
    const batches = await begin(running, 5);
    // How long this machine takes to start a worker is no matter of the refusal.
    const startMs = await timeOf(() => running.startAnotherWorker());
    let refused: unknown;
    const refusedMs = await timeOf(async () => {
      refused = await running.startElsewhere('worker', elsewhere()).catch(String);
    });
    expect(refusedMs - startMs).toBeLessThan(REFUSED_MS_MAX);
    expect(refused).toContain('STORE_IS_ANOTHER');
    expect(refused).toContain('ended with 2');
    expect(await timeOf(() => refusedByBridge(running))).toBeLessThan(REFUSED_MS_MAX + startMs);
    await expectCompleted(running, batches);
  });

  it('a worker that is alone refuses all work, batches show the flag, and it ends when the right one is back', async () => {
    const running = await startStack();
    const [batch] = (await begin(running, 1)) as [Batch];
    await running.kill('worker');
    const other = await running.startElsewhere('worker', elsewhere());
    await eventually('the worker says so', () =>
      other.output().includes('STORE_IS_ANOTHER') ? true : undefined,
    );
    await isFlagged(batch, true);
    const status = await running.bursar('status', batch.batchId);
    expect(status.out + status.err).toContain('recover --store empty');
    expect(other.output()).not.toContain('no result');
    await running.start('worker');
    await isFlagged(batch, false);
    await eventually('the other worker ends', () => (other.hasEnded() ? true : undefined));
    await expectCompleted(running, [batch]);
  });

  it('commands report that, and start nothing', async () => {
    const running = await startStack();
    const [batch] = (await begin(running, 1)) as [Batch];
    const there = elsewhere();
    const file = join(running.folder, `${batch.batchId}.csv`);
    for (const [error, ...command] of [
      ['STORE_IS_ANOTHER', 'submit', file, '--id', newBatchId(), '--yes', '--detach'],
      ['STORE_IS_ANOTHER', 'status', batch.batchId],
      ['STORE_IS_ANOTHER', 'pause', batch.batchId, '--reason', 'a slip'],
      ['STORE_IS_ANOTHER', 'inbox'],
      ['STORE_AT_WORK', 'recover', '--yes'],
      ['STORE_AT_WORK', 'recover', '--store', 'older', '--yes'],
      ['STORE_AT_WORK', 'recover', '--store', 'empty', '--yes'],
    ] as const) {
      const { code, err } = await running.bursarWith(there, ...command);
      expect([command, code, err]).toEqual([command, 2, expect.stringContaining(error)]);
    }
    const doctor = await running.bursarWith(there, 'doctor');
    expect(doctor.out).toContain('STORE_IS_ANOTHER');
    expect((await running.bursar('doctor')).out).not.toContain('STORE_IS_ANOTHER');
    await expectCompleted(running, [batch]);
  });
});

describe('a worker with the wrong store that was the first on the queue', () => {
  it('gives the queue back by bursar recover, and the right worker pays the waiting batches', async () => {
    const running = await startStack(['worker']);
    const wrong = await running.startElsewhere('worker', elsewhere());
    await eventually('the queue names the wrong store', async () => {
      const { out } = await running.bursar('doctor');
      return out.includes('STORE_IS_ANOTHER') || undefined;
    });
    await wrong.stop();
    await running.start('worker');
    expect((await running.json('inbox')).value['code']).toBe('STORE_IS_ANOTHER');
    expect((await running.json('recover', '--yes')).value['code']).toBe('STORE_AT_WORK');
    const { code, value } = await onceNotAtWork(() => running.json('recover', '--yes'));
    expect([code, value['claimed']]).toEqual([0, true]);
    const [batch] = (await begin(running, 1)) as [Batch];
    await expectCompleted(running, [batch]);
  });
});

describe('a store that is lost', () => {
  it.each([
    ['while the worker runs', false],
    ['while the worker is away', true],
  ])(
    '%s: batches show the flag, and go on after bursar recover --store empty',
    async (_, isAway) => {
      const running = await startStack();
      const [batch] = (await begin(running, 1)) as [Batch];
      await eventually('some creates arrive', async () =>
        (await requestCount(running.sandboxUrl, 'MASS_CREATE')) > 3 ? true : undefined,
      );
      await eventually(
        'housekeeping keeps that lookups are proven',
        async () => (await servedLookup(running)) || undefined,
      );
      if (isAway) await running.kill('worker');
      deleteStore(running);
      if (isAway) await running.start('worker');
      await isFlagged(batch, true);
      const sent = await requestCount(running.sandboxUrl, 'MASS_CREATE');
      expect((await running.json('status', batch.batchId)).value['code']).toBe('STORE_IS_ANOTHER');
      const recovered = await onceNotAtWork(() =>
        running.json('recover', '--store', 'empty', '--yes'),
      );
      expect(recovered).toMatchObject({
        code: 0,
        value: { batches: [{ batchId: batch.batchId, done: true }] },
      });
      await eventually('it is paused', async () => {
        const { value } = await running.json('status', batch.batchId);
        return JSON.stringify(value['holds']).includes('PAUSE') || undefined;
      });
      await isFlagged(batch, false);
      expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(sent);
      expect(running.output('worker')).not.toContain('no result');
      await running.stopOne('bridge');
      await running.start('bridge');
      expect((await running.bursar('resume', batch.batchId, '--reason', 'looked at')).code).toBe(0);
      await eventually('the hold for approval is on, or it has ended', async () => {
        const { value } = await running.json('status', batch.batchId);
        if (value['state'] === 'COMPLETED') return true;
        if (!JSON.stringify(value['holds']).includes('APPROVAL')) return undefined;
        await running.bursar('resume', batch.batchId, '--reason', 'looked at');
        return undefined;
      });
      await expectCompleted(running, [batch]);
    },
  );
});

it('an open resend of a lost store comes back after its parent, which sends nothing again', async () => {
  const running = await startStack();
  const [batch] = (await begin(running, 1, 4)) as [Batch];
  expect((await running.json('watch', batch.batchId)).value['state']).toBe('PARTIAL');
  const child = `${batch.batchId}-r1`;
  const nextYear = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`;
  const flags = ['--nothing-resent-elsewhere', '--at', nextYear, '--yes', '--detach'];
  expect((await running.bursar('resend', batch.batchId, ...flags)).code).toBe(8);
  const rowsOf = async (id: string) => (await running.json('status', id)).value['rows'];
  await eventually('the resend waits', async () => {
    const { value } = await running.json('status', child);
    return value['state'] === 'SCHEDULED' || undefined;
  });
  const before = await rowsOf(child);
  const paid = (await rowsOf(batch.batchId)) as Readonly<{ paid: number; failed: number }>;
  const sent = await requestCount(running.sandboxUrl, 'MASS_CREATE');
  await running.stopOne('worker');
  await running.stopOne('bridge');
  deleteStore(running);
  await running.start('worker');
  await running.start('bridge');
  // The new store did not write the versions that the lost one kept, and verify would call them changed.
  renameSync(
    join(running.folder, 'runs', batch.batchId, 'versions'),
    join(running.folder, 'versions-of-the-lost-store'),
  );
  const first = await onceNotAtWork(() => running.json('recover', '--store', 'empty', '--yes'));
  expect(first.code).toBe(14);
  expect(first.value['batches']).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ batchId: batch.batchId, action: 'SETTLE', done: true }),
      expect.objectContaining({ batchId: child, action: 'NONE' }),
    ]),
  );
  expect((await running.json('watch', batch.batchId)).value).toMatchObject({
    state: 'CANCELED',
    rows: { paid: paid.paid, failed: paid.failed },
  });
  const second = await running.json('recover', child, '--store', 'empty', '--yes');
  expect(second).toMatchObject({ code: 0, value: { batches: [{ batchId: child, done: true }] } });
  await eventually('the resend is paused, with its rows', async () => {
    const { value } = await running.json('status', child);
    const isBack = JSON.stringify(value['rows']) === JSON.stringify(before);
    return (isBack && JSON.stringify(value['holds']).includes('PAUSE')) || undefined;
  });
  expect(await requestCount(running.sandboxUrl, 'MASS_CREATE')).toBe(sent);
});
