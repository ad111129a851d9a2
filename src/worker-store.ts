import type { Client } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import type { StoreGuard } from './activities/shared/store-guard.ts';
import { refuseOtherStore } from './operations/engine/refuse-other-store.ts';
import { servedStore, storesOfWorkers } from './operations/engine/served-store.ts';
import { housekeepingWorkflowId } from './contract/housekeeping.ts';
import { WORKFLOW_BATCH } from './contract/names.ts';
import { type CheckStore, SIGNAL_CHECK_STORE } from './contract/store.ts';
import { type BursarError, isBursarError } from './domain/errors/bursar-error.ts';
import { olderStoreNews, storeNews } from './domain/notify/engine-news.ts';
import type { NotifiableEvent } from './domain/notify/events.ts';
import type { StoreRef } from './domain/store/identity.ts';
import { maskedUrl } from './domain/text/masked-url.ts';
import type { Store } from './store/index.ts';

/** How often a worker compares its store with that of its task queue, in milliseconds. */
const LOOK_MS = 1_000;
/** How long another worker may take to answer, and how long a notification may take, in milliseconds. */
const ANSWER_MS_MAX = 2_000;
/** How long a worker of the right store must have been at work, in milliseconds, before this one ends. */
const OTHERS_MS = 1_000;

export type WorkerStoreDeps = Readonly<{
  client: Client;
  taskQueue: string;
  store: Readonly<{ identity: Store['identity'] }>;
  guard: StoreGuard;
  notify(news: NotifiableEvent): Promise<void>;
  log: WorkerLog;
}>;

type Write = (facts: object, message: string) => void;

/** Where the worker logs. */
type WorkerLog = Readonly<{ info: Write; warn: Write; error: Write }>;

/** `replaced`: the file of the store is another one, so the store must be opened again. */
export type StoreEnd = 'replaced' | 'stopped';

/**
 * Compares the store of this worker with that of its task queue before it takes any work.
 * @throws STORE_IS_ANOTHER when a worker with that store answers: this one was started in the wrong place.
 *
 * Where none answers, the store may be lost. The worker then refuses every activity, so that batches show a flag and wait.
 * An older copy of the right store is declared as one before any work is taken, see `isUndeclaredCopy`.
 */
export async function checkStore(deps: WorkerStoreDeps): Promise<BursarError | null> {
  const served = await readServed(deps).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    deps.log.warn({ reason: maskedUrl(reason) }, 'the store of the task queue could not be read');
    return undefined;
  });
  const refusal = await refusalOf(deps, served);
  if (refusal === null) return null;
  const notifications = Promise.race([deps.notify(storeNews(refusal)), rest(ANSWER_MS_MAX)]);
  const [isServedNow] = await Promise.all([
    doesAnyAnswer(deps),
    notifications.catch(() => undefined),
  ]);
  if (isServedNow) throw refusal;
  deps.guard.close(refusal);
  report(deps.log, refusal);
  return refusal;
}

/** `refusal`: what {@link checkStore} returned. */
export type RunningWorker = Readonly<{
  worker: Worker;
  running: Promise<void>;
  refusal: BursarError | null;
}>;

/**
 * Goes on comparing while the worker runs, and stops it when the file of its store was replaced.
 * @throws STORE_IS_ANOTHER as {@link checkStore} does.
 */
export async function followStore(
  deps: WorkerStoreDeps,
  { worker, running, refusal: first }: RunningWorker,
): Promise<StoreEnd> {
  const sinceMs = Date.now() + OTHERS_MS;
  let isOver = false;
  void running.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  let shown = first;
  if (shown !== null) await signalAll(deps, { note: shown.note });
  for (;;) {
    await Promise.race([running.catch(() => undefined), rest(LOOK_MS)]);
    if (isOver) return 'stopped';
    if (deps.guard.isReplaced()) {
      deps.log.warn({}, 'the file of the store is gone, or another one: it is opened anew');
      if (worker.getState() === 'RUNNING') worker.shutdown();
      return 'replaced';
    }
    // Temporal did not answer; the next check reads it again soon.
    const refusal: BursarError | null = await readServed(deps)
      .then((served) => refusalOf(deps, served))
      .catch(() => shown);
    if (refusal !== null && (await isServed(deps, sinceMs))) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      throw refusal;
    }
    if ((refusal === null) === (shown === null)) continue;
    deps.guard.close(refusal);
    if (refusal === null) deps.log.info({}, 'the store is that of the task queue again');
    else report(deps.log, refusal);
    await signalAll(deps, refusal === null ? {} : { note: refusal.note });
    shown = refusal;
  }
}

function report(log: WorkerLog, { code, note }: BursarError): void {
  log.error({ code, why: note.why, fix: note.fix }, note.what);
}

/** The store that housekeeping names; undefined: it names none yet. */
const readServed = ({ client, taskQueue }: WorkerStoreDeps): Promise<StoreRef | undefined> =>
  client.withDeadline(Date.now() + ANSWER_MS_MAX, () => servedStore(client, taskQueue));

/** Why the store may not be used; null when it may. An older copy may be used, and is declared as one. */
async function refusalOf(
  deps: WorkerStoreDeps,
  served: StoreRef | undefined,
): Promise<BursarError | null> {
  const { taskQueue, store } = deps;
  // A store that cannot be read is not another one.
  const identity = await store.identity.read();
  try {
    refuseOtherStore(identity, served, taskQueue);
  } catch (error) {
    if (isBursarError(error)) return error;
    throw error;
  }
  if (served !== undefined) await declareOlderCopy(deps, served);
  return null;
}

/** Declares that the store is an older copy, as `recover --store older` does, when the reference of housekeeping shows it. */
async function declareOlderCopy(
  { store, notify, log }: WorkerStoreDeps,
  served: StoreRef,
): Promise<void> {
  if (!(await store.identity.isUndeclaredCopy(served))) return;
  if (!(await store.identity.declareCopy(served, Date.now()))) return;
  const news = olderStoreNews(served);
  log.warn({ fix: news.data.fix }, news.data.what);
  await Promise.race([notify(news), rest(ANSWER_MS_MAX)]).catch(() => undefined);
}

/** Whether any worker of the task queue answers a query. */
async function doesAnyAnswer({ client, taskQueue }: WorkerStoreDeps): Promise<boolean> {
  try {
    const handle = client.workflow.getHandle(housekeepingWorkflowId(taskQueue));
    await client.withDeadline(Date.now() + ANSWER_MS_MAX, () =>
      handle.query('__temporal_workflow_metadata'),
    );
    return true;
  } catch {
    return false;
  }
}

/** Whether a worker with the right store polled since a moment. */
async function isServed({ client, taskQueue }: WorkerStoreDeps, sinceMs: number): Promise<boolean> {
  try {
    const inTime = <Result>(call: () => Promise<Result>): Promise<Result> =>
      client.withDeadline(Date.now() + ANSWER_MS_MAX, call);
    const served = await inTime(() => servedStore(client, taskQueue));
    const stores = await inTime(() => storesOfWorkers(client, taskQueue, sinceMs));
    return served !== undefined && stores.includes(served.id);
  } catch {
    return false;
  }
}

/** Has every batch of the task queue find out about its store now, and everything else that waits for it. */
async function signalAll(
  { client, taskQueue, log }: WorkerStoreDeps,
  { note }: CheckStore,
): Promise<void> {
  const query = `TaskQueue = '${taskQueue.replaceAll("'", "''")}' AND ExecutionStatus = 'Running'`;
  try {
    for await (const { workflowId, type } of client.workflow.list({ query })) {
      const check: CheckStore = type === WORKFLOW_BATCH && note !== undefined ? { note } : {};
      await client
        .withDeadline(Date.now() + ANSWER_MS_MAX, () =>
          client.workflow.getHandle(workflowId).signal(SIGNAL_CHECK_STORE, check),
        )
        // A workflow that has ended meanwhile needs no store.
        .catch(() => undefined);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason: maskedUrl(reason) }, 'batches could not be told of the store');
  }
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
