import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newBatchId, type TestStack } from '../support/test-stack.ts';
import {
  begin,
  expectCompleted,
  isFlagged,
  onceNotAtWork,
  onSlowStack,
  type StartedBatch,
} from './support/store-batches.ts';

jest.setTimeout(600_000);

/** The settings of somebody who starts programs in another folder, on the same task queue. */
const elsewhere = (): Record<string, string> => {
  const folder = temporaryFolder();
  return {
    BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
    BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    BURSAR_REPORT_DIR: join(folder, 'runs'),
  };
};

/**
 * Starts a worker elsewhere, and waits until it ends. Returns how it ended, and what it printed.
 * It ends before it is ready, or soon after when Temporal was slow to answer it.
 */
async function refusedByWorker(running: TestStack): Promise<string> {
  try {
    const worker = await running.startElsewhere('worker', elsewhere());
    await eventually('the worker ends', () => (worker.hasEnded() ? true : undefined));
    return `ended with ${worker.exitCode()}: ${worker.output()}`;
  } catch (error) {
    return String(error);
  }
}

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

describe('programs with another store on the same task queue', () => {
  it.concurrent('a worker with the wrong store that was the first gives the queue back by bursar recover, and the right worker pays the waiting batches', () =>
    onSlowStack(
      async (running) => {
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
        const [batch] = (await begin(running, 1)) as [StartedBatch];
        await expectCompleted(running, [batch]);
      },
      ['worker'],
    ));

  it.concurrent('worker and bridge refuse, and no batch ends by it', () =>
    onSlowStack(async (running) => {
      const batches = await begin(running, 5);
      const refusal = await refusedByWorker(running);
      expect(refusal).toContain('STORE_IS_ANOTHER');
      expect(refusal).toContain('ended with 2');
      await refusedByBridge(running);
      await expectCompleted(running, batches);
    }));

  it.concurrent('a worker that is alone refuses all work, batches show the flag, and it ends when the right one is back', () =>
    onSlowStack(async (running) => {
      const [batch] = (await begin(running, 1)) as [StartedBatch];
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
    }));

  it.concurrent('commands report that, and start nothing', () =>
    onSlowStack(async (running) => {
      const [batch] = (await begin(running, 1)) as [StartedBatch];
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
    }));
});
