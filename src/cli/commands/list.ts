import type { Sources } from '../../operations/batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { BATCH_STATES, type BatchState } from '../../domain/batch/batch-state.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { ONE_TRY, withAnySources } from '../../operations/batch/sources.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import type { RunningBatch } from '../../operations/engine/engine.ts';
import { refuseOtherStore } from '../../operations/engine/refuse-other-store.ts';
import { stateByRecord } from '../../operations/batch/standing.ts';
import {
  readSilence,
  silenceText,
  type WorkerSilence,
} from '../../operations/batch/worker-silence.ts';
import type { Context } from '../context.ts';
import { readChoices, readLimit } from '../../operations/input/lists.ts';
import { batchListText, type ListedBatch } from '../print/batch-list-text.ts';
import { printList } from '../print/output.ts';

type ListFlags = Readonly<{ limit?: string; state?: string }>;

const LIMIT_DEFAULT = 50;

/** `bursar list`: the newest batches, those that no worker has taken up yet first. */
export async function list(flags: ListFlags, context: Context): Promise<number> {
  const limit = flags.limit === undefined ? LIMIT_DEFAULT : readLimit(flags.limit);
  const states =
    flags.state === undefined ? BATCH_STATES : readChoices('--state', flags.state, BATCH_STATES);
  return withAnySources(context, async ({ engine, ...rest }) => {
    const sources = { ...rest, engine: () => engine(ONE_TRY) };
    const { all, silence } = await listBatches(sources, context);
    const shown = all.filter(({ state }) => states.includes(state)).slice(0, limit);
    const about = silence === null ? {} : { worker: silence };
    const count = await printList(context, shown, { ...output(shown, context), about });
    if (count === 0 && context.format === 'text') context.say('There are no such batches.');
    if (silence !== null) context.say(silenceText(silence, context.clock));
    return EXIT.done;
  });
}

/** Batches that are read from the store: more than are shown, so that a filter finds older ones too. */
const STORE_LIMIT = 10_000;

type Listing = Readonly<{ all: readonly ListedBatch[]; silence: WorkerSilence | null }>;

async function listBatches(sources: Sources, context: Context): Promise<Listing> {
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
  return { all, silence };
}

/** A list without Temporal is better than none, with a line that states it. */
async function runningBatches(sources: Sources, { say }: Context) {
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
  say: Context['say'],
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

const output = (batches: readonly ListedBatch[], context: Context) => ({
  schema: 'bursar.batch-list/v1',
  about: {},
  name: 'batches',
  lineSchema: 'bursar.batch-line/v1',
  ...batchListText(batches, context),
});
