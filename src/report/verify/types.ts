import type { EndState } from '../../domain/batch/batch-state.ts';
import type { Checked } from '../../domain/audit/verification.ts';
import type { ChainHead } from '../../domain/audit/chain.ts';

/** What is known so far. */
export type VerifyProgress = {
  state: EndState | null;
  head: ChainHead;
  isComplete: boolean;
  readonly checked: Checked[];
  readonly unchecked: string[];
};
