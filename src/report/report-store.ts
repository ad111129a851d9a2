import type { Store } from '../store/index.ts';

/** The parts of the store that row histories are read from. */
export type LineageStore = Readonly<{
  chunks: Store['chunks'];
  settlements: Store['settlements'];
  staging: Store['staging'];
  transactions: Store['transactions'];
}>;

/** The parts that the rows of a report are read from. */
export type RowStore = Readonly<{
  chunks: Store['chunks'];
  rechecks: Store['rechecks'];
  lineage: Store['lineage'];
  settlements: Store['settlements'];
  staging: Store['staging'];
  /** Missing: the rows lack the hashes and fees of the wallet's transactions. */
  transactions?: Store['transactions'];
}>;

/** The parts that the figures of a batch are counted from. */
export type TotalsStore = Readonly<{
  settlements: Store['settlements'];
  staging: Store['staging'];
}>;

/** The parts that the view of a batch is read from. */
export type ViewStore = LineageStore &
  RowStore &
  Readonly<{
    balances: Store['balances'];
    batches: Store['batches'];
    sends: Store['sends'];
  }>;

/** The parts that a report is composed from. */
export type ReportStore = ViewStore &
  Readonly<{
    approvals: Store['approvals'];
    audit: Store['audit'];
    holds: Store['holds'];
  }>;
