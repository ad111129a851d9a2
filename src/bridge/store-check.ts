import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { isStore, type StoreIdentity, type StoreRef } from '../domain/store/identity.ts';
import { fileMark } from '../store/rows/file-mark.ts';
import type { BridgeClock } from './clock.ts';
import type { Log } from './log.ts';

/** Time between two comparisons of the bridge's store with the workers' store, in milliseconds. */
const CHECK_MS = 2_000;

export type StoreCheckDeps = Readonly<{
  identity: Readonly<{ read(): Promise<StoreIdentity> }>;
  /** The store's file; undefined for a store without one. */
  file: string | undefined;
  taskQueue: string;
  /** Returns the store that the workers use, or undefined before the first worker. */
  readServedStore(): Promise<StoreRef | undefined>;
  clock: BridgeClock;
  log: Log;
}>;

/**
 * Compares the store of the bridge with the store of the workers, again and again.
 * With another store the bridge would find no chunk for any webhook, and drop them all.
 * The last result stays valid while Temporal does not answer.
 */
export function createStoreCheck(deps: StoreCheckDeps) {
  const { identity, file, taskQueue, readServedStore, clock, log } = deps;
  const stopping = new AbortController();
  const mark = fileMark(file);
  let refusal: ErrorNote | null = null;
  let running: Promise<void> = Promise.resolve();

  async function compareStores(): Promise<ErrorNote | null> {
    const { id } = await identity.read();
    if (fileMark(file) !== mark) {
      return noteOf('STORE_IS_ANOTHER', { store: 'gone or replaced', served: id, taskQueue });
    }
    const served = await readServedStore();
    if (served === undefined || isStore(await identity.read(), served.id)) return null;
    return noteOf('STORE_IS_ANOTHER', { store: id, served: served.id, taskQueue });
  }

  async function check(): Promise<void> {
    const next = await compareStores().catch(() => refusal);
    if (next !== null && refusal === null) log.error({ ...next }, 'the bridge refuses webhooks');
    if (next === null && refusal !== null) log.info({}, 'the bridge takes webhooks again');
    refusal = next;
  }

  return {
    /** Returns the reason to refuse all webhooks, or null while the stores are the same. */
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
