/** `tell` is told, now and then, how many rows were looked at so far. */
export type RowProgress = Readonly<{ tell(rows: number): void }>;
