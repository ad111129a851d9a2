import type { EndState } from '../../domain/batch/batch-state.ts';
import type { Checked } from '../../domain/audit/verification.ts';
import type { ChainHead } from '../../domain/audit/chain.ts';

/** The results of a verification so far. */
export type VerificationState = CheckLists & {
  state: EndState | null;
  head: ChainHead;
  isComplete: boolean;
  isPruned: boolean;
};

/** The numbers of checked things, and sentences about checks that were not possible. */
export type CheckLists = { readonly checked: Checked[]; readonly unchecked: string[] };

/** Receives the number of checked rows from time to time. */
export type RowProgress = Readonly<{ onRows(rows: number): void }>;
