import type { Store } from '../../store/index.ts';

export type ReportDeps = Readonly<{
  store: Pick<
    Store,
    | 'balances'
    | 'batches'
    | 'chunks'
    | 'settlements'
    | 'sends'
    | 'staging'
    | 'approvals'
    | 'audit'
    | 'holds'
    | 'transactions'
    | 'lineage'
    | 'late'
  >;
  /** Folder under which each batch has its own. */
  reportDir: string;
  nowMs(): number;
}>;
