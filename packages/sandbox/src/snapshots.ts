/** Whole states of the sandbox: the first one, and snapshots, which are in memory. */
export type StateControl = Readonly<{
  /** Starts afresh, as at a first start with the same settings. Snapshots stay. */
  reset(): Promise<void>;
  /** Throws Refused when there are too many snapshots. */
  takeSnapshot(): Promise<Snapshot>;
  snapshots(): readonly Snapshot[];
  /** Returns to a snapshot. It can be used again. Throws Refused when there is none. */
  restore(id: string): Promise<void>;
  /** Throws Refused when there is none. */
  removeSnapshot(id: string): void;
}>;

/** `bytes` is a file of SQLite. */
export type Snapshot = Readonly<{ id: string; atMs: number; bytes: Buffer }>;
