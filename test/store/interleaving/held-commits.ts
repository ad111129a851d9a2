import { writableDb } from '../../../src/store/database/writable.ts';
import type { Store } from '../../../src/store/index.ts';

export type HeldCommit = Readonly<{
  /** Resolves once a write of the store has done all its work, and has not committed. */
  reached: Promise<void>;
  /** Lets the write commit, and all later ones. */
  release(): void;
}>;

/** Stops the next write of a store right before its commit. */
export function holdCommit(store: Store): HeldCommit {
  const connection = writableDb(store);
  const begin = connection.transaction.bind(connection);
  let reach = (): void => undefined;
  let release = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  connection.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = (work) =>
      execute(async (tx) => {
        const result = await work(tx);
        reach();
        await released;
        return result;
      });
    return builder;
  };
  return { reached, release };
}
