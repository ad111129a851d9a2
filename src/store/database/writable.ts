import type { Connection } from './db.ts';

type Closable = Readonly<{ close(): Promise<void> }>;

/** By the function that closes it, which a copy of a store shares. */
const connections = new WeakMap<() => Promise<void>, Connection>();

/** Keeps the connection of an open store for {@link writableDb}. */
export function keepWritable<Store extends Closable>(store: Store, connection: Connection): Store {
  connections.set(store.close, connection);
  return store;
}

/** The connection of an open store. It writes outside of every scope: only tests and benches may use it. */
export function writableDb({ close }: Closable): Connection {
  const connection = connections.get(close);
  if (connection === undefined) throw new Error('this is no open store');
  return connection;
}
