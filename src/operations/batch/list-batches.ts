import type { BatchRecord } from '../../store/batches/types.ts';
import { BATCH_STATES, type BatchState } from '../../domain/batch/batch-state.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import type { OperationContext } from '../context.ts';
import type { RunningBatch } from '../engine/engine.ts';
import { refuseOtherStore } from '../engine/refuse-other-store.ts';
import { ONE_TRY, withAnySources } from './sources.ts';
import { stateByRecord } from './standing.ts';
import type { Sources } from './types.ts';
import { readSilence, type WorkerSilence } from './worker-silence.ts';

/** One batch of the list; what no worker has read yet is null. */
export type ListedBatch = Readonly<{
  batchId: string;
  state: BatchState;
  file: string | null;
  rows: number | null;
  totals: readonly CurrencyTotal[];
  /** ISO 8601 in UTC. */
  submittedAt: string | null;
  submittedBy: string | null;
}>;

/** The newest batches. `worker`: missing where a worker answers, or nothing waits for one. */
export type BatchListing = Readonly<{ batches: readonly ListedBatch[]; worker?: WorkerSilence }>;

export const BATCHES_LISTED_DEFAULT = 50;

/** Batches that are read from the store: more than are shown, so that a filter finds older ones too. */
const STORE_LIMIT = 10_000;

/** The newest batches, those that no worker has taken up yet first. */
export const listBatches = (
  {
    states = BATCH_STATES,
    limit = BATCHES_LISTED_DEFAULT,
  }: Readonly<{ states?: readonly BatchState[] | undefined; limit?: number | undefined }>,
  context: OperationContext,
): Promise<BatchListing> =>
  withAnySources(context, async ({ engine, ...rest }) => {
    const sources = { ...rest, engine: () => engine(ONE_TRY) };
    const records = await sources.store.batches.list(STORE_LIMIT);
    const { running, silence } = await runningBatches(sources, context);
    const known = new Set(records.map(({ batchId }) => batchId));
    const { taskQueue } = sources.settings.temporal;
    const unread = [...running].filter(([batchId]) => !known.has(batchId));
    // Workers of another task queue have a store of their own, and commands here can do nothing about its batches.
    const ours = unread.filter(([, batch]) => batch.taskQueue === taskQueue);
    const all = [
      ...ours.map(([batchId, { state }]) => unreadBatch(batchId, state)),
      ...records.map((record) => listed(record, running.get(record.batchId)?.state)),
    ];
    const batches = all.filter(({ state }) => states.includes(state)).slice(0, limit);
    return silence === null ? { batches } : { batches, worker: silence };
  });

/** A list without Temporal is better than none, with a line that states it. */
async function runningBatches(sources: Sources, { say }: OperationContext) {
  try {
    const engine = await sources.engine();
    await sayIfForeign(sources, await engine.served(), say);
    const running = await engine.running();
    // Where nothing runs, nothing waits for a worker.
    return { running, silence: running.size === 0 ? null : await readSilence(sources) };
  } catch (error) {
    if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE') throw error;
    say(`${error.note.what} States of open batches are those of the store.`);
    return { running: new Map<string, RunningBatch>(), silence: null };
  }
}

/** A list of another store is allowed, with a line that states it. */
async function sayIfForeign(
  { store, settings }: Sources,
  served: StoreRef | undefined,
  say: OperationContext['say'],
): Promise<void> {
  try {
    refuseOtherStore(await store.identity.read(), served, settings.temporal.taskQueue);
  } catch (error) {
    if (!isBursarError(error)) throw error;
    say(`${error.code}: ${error.note.what} ${error.note.fix}`);
  }
}

const unreadBatch = (batchId: string, state: BatchState | undefined): ListedBatch => ({
  batchId,
  state: state ?? 'INGESTING',
  file: null,
  rows: null,
  totals: [],
  submittedAt: null,
  submittedBy: null,
});

const listed = (record: BatchRecord, shown: BatchState | undefined): ListedBatch => ({
  batchId: record.batchId,
  state: record.endState ?? shown ?? stateByRecord(record),
  file: record.fileName,
  rows: record.summary?.rows ?? null,
  totals: (record.summary?.currencies ?? []).map(({ currency, total }) => ({ currency, total })),
  submittedAt: new Date(record.submittedAtMs).toISOString(),
  submittedBy: record.submittedBy,
});
