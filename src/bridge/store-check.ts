import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { isStore, type StoreIdentity, type StoreRef } from '../domain/store/identity.ts';
import { fileMark } from '../store/rows/file-mark.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** How often the store of the bridge is compared with that of the task queue, in milliseconds. */
const CHECK_MS = 2_000;

export type StoreCheckDeps = Readonly<{
  identity: Readonly<{ read(): Promise<StoreIdentity> }>;
  /** The file of the store. */
  file: string | undefined;
  taskQueue: string;
  /** The store that the workers use; undefined while no worker has written it down. */
  served(): Promise<StoreRef | undefined>;
  clock: Clock;
  log: Log;
}>;

export type StoreCheck = ReturnType<typeof createStoreCheck>;

/**
 * Finds out whether the bridge has the store of the workers. With another one it would call every webhook foreign, and drop it.
 * While Temporal does not answer, the last result stays.
 */
export function createStoreCheck(deps: StoreCheckDeps) {
  const { identity, file, taskQueue, served, clock, log } = deps;
  const stopping = new AbortController();
  const mark = fileMark(file);
  let refusal: ErrorNote | null = null;
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<ErrorNote | null> {
    const { id } = await identity.read();
    if (fileMark(file) !== mark) {
      return noteOf('STORE_IS_ANOTHER', { store: 'gone or replaced', served: id, taskQueue });
    }
    const named = await served();
    if (named === undefined || isStore(await identity.read(), named.id)) return null;
    return noteOf('STORE_IS_ANOTHER', { store: id, served: named.id, taskQueue });
  }

  async function check(): Promise<void> {
    const next = await look().catch(() => refusal);
    if (next !== null && refusal === null) log.error({ ...next }, 'the bridge refuses webhooks');
    if (next === null && refusal !== null) log.info({}, 'the bridge takes webhooks again');
    refusal = next;
  }

  return {
    /** Why no webhook is taken or forwarded; null while all are. */
    refusal: (): ErrorNote | null => refusal,
    check,
    start(): void {
      running = (async () => {
        while (!stopping.signal.aborted) {
          await check();
          await clock.wait(CHECK_MS, stopping.signal);
        }
      })();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
