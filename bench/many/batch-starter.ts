import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadTemporalAccess } from '../../src/codec/temporal-access.ts';
import { loadSettings } from '../../src/config.ts';
import type { EndState } from '../../src/domain/batch/batch-state.ts';
import { ACCOUNT_REF } from '../../src/operations/batch/start.ts';
import { connectEngine } from '../../src/operations/engine/temporal-engine.ts';
import { batchOptionsOf, readBatchChoices } from '../../src/operations/input/batch-choices.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { createFiles } from '../../src/files/index.ts';
import type { BenchStack } from '../support/stack.ts';

/** How often the store is read for the end of a batch, in milliseconds. */
const POLL_MS = 100;

/** `at`: when Bursar starts to pay, ISO 8601; null: at once. */
export type StartedFile = Readonly<{ file: string; batchId: string; at: string | null }>;

export type BatchStarter = Readonly<{
  /** Copies the file and starts the workflow of its batch, as `bursar submit` does after its checks. */
  start(started: StartedFile): Promise<void>;
  /** Waits until the batch has a plan. */
  untilPlanned(batchId: string, signal: AbortSignal): Promise<void>;
  /** Waits until the report of the batch is written. Returns its end state. */
  untilEnded(batchId: string, signal: AbortSignal): Promise<EndState>;
  close(): Promise<void>;
}>;

/** Starts batches from one process, so that starts of Node.js do not take the time of the worker. */
export async function openStarter({ env, folder }: BenchStack): Promise<BatchStarter> {
  const settings = loadSettings({ env, cwd: () => folder });
  const store = await openStore(settings.store.url);
  const ref = await store.identity.ref();
  const blobs = createFiles(settings.blob.url);
  const engine = await connectEngine({
    ...loadTemporalAccess(settings, env),
    ...settings.temporal,
  });
  return {
    async start({ file, batchId, at }) {
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
      await blobs.put(sha256, createReadStream(file));
      const choices = readBatchChoices(at === null ? {} : { at }, Date.now());
      const input = {
        batchId,
        accountRef: ACCOUNT_REF,
        file: { name: `${batchId}.csv`, sha256 },
        options: batchOptionsOf(choices, settings),
        submittedBy: 'bench',
        submittedAt: new Date().toISOString(),
        generation: 0,
        parentBatchId: null,
        store: ref,
      };
      await engine.start(input, { summary: batchId, details: batchId });
    },
    untilPlanned: (batchId, signal) =>
      until(store, { batchId, signal, read: ({ digest }) => digest }).then(() => undefined),
    untilEnded: (batchId, signal) =>
      until(store, { batchId, signal, read: ({ endState }) => endState }),
    async close() {
      await engine.close();
      await store.close();
    },
  };
}

type BatchRecord = NonNullable<Awaited<ReturnType<Store['batches']['find']>>>;

type AwaitedValue<Value> = Readonly<{
  batchId: string;
  signal: AbortSignal;
  read(record: BatchRecord): Value | null;
}>;

async function until<Value>(
  store: Store,
  { batchId, signal, read }: AwaitedValue<Value>,
): Promise<Value> {
  for (;;) {
    signal.throwIfAborted();
    const record = await store.batches.find(batchId);
    const value = record === undefined ? null : read(record);
    if (value !== null) return value;
    await pause(POLL_MS);
  }
}
