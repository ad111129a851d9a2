import { type Database, transaction } from './database.ts';

export type Commits = Readonly<{
  /** Makes all that `work` writes durable together, or nothing of it. Does not nest. */
  transaction<Result>(work: () => Result): Result;
  /**
   * Does `work` when the transaction under way is durable, and not at all when it is undone; at
   * once when there is none.
   */
  afterCommit(work: () => void): void;
}>;

export function createCommits(db: Database): Commits {
  // To ask the database whether a transaction is open takes longer than most work in it.
  let waiting: (() => void)[] | null = null;
  return {
    transaction(work) {
      const mine: (() => void)[] = [];
      waiting = mine;
      try {
        const result = transaction(db, work);
        waiting = null;
        for (const each of mine) each();
        return result;
      } finally {
        waiting = null;
      }
    },
    afterCommit(work) {
      if (waiting === null) work();
      else waiting.push(work);
    },
  };
}
