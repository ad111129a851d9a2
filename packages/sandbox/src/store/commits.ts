import { type Database, transaction } from './database.ts';

export type Commits = Readonly<{
  /** Commits everything that `work` writes, or nothing of it. Transactions do not nest. */
  transaction<Result>(work: () => Result): Result;
  /**
   * Runs `work` once the present transaction is committed, and never if it is rolled back. Without
   * a transaction it runs at once.
   */
  afterCommit(work: () => void): void;
}>;

export function createCommits(db: Database): Commits {
  // The answer of the database, whether a transaction is open, takes longer than most work in one.
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
