/** What a measuring program prints: the rows that it found, and the time that it took for them. */
export type Measured = Readonly<{ rows: number; elapsedMs: number }>;
