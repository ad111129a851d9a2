import type { KyselyPlugin } from 'kysely';
import type { Connection } from './database/db.ts';
import type { Access } from './database/decide.ts';

/** Is called with the time that each read and each write of the store took, in milliseconds. */
export type StoreObserver = Readonly<{ read(tookMs: number): void; write(tookMs: number): void }>;

/** Measures the reads of a store and its writes. The time of a write holds the wait for its group and for the disk. */
export function observedAccess(
  connection: Connection,
  { decide }: Access,
  observer: StoreObserver,
): Access {
  return {
    db: connection.withPlugin(timing(observer.read)),
    async decide(scopes, work) {
      const startedMs = performance.now();
      try {
        return await decide(scopes, work);
      } finally {
        observer.write(performance.now() - startedMs);
      }
    },
  };
}

/** A failed read is not counted: its error is. */
function timing(read: StoreObserver['read']): KyselyPlugin {
  const started = new WeakMap<object, number>();
  return {
    transformQuery({ node, queryId }) {
      started.set(queryId, performance.now());
      return node;
    },
    async transformResult({ result, queryId }) {
      const startedMs = started.get(queryId);
      if (startedMs !== undefined) read(performance.now() - startedMs);
      return result;
    },
  };
}
