/** What the bare loop prints. */
export type BareRun = Readonly<{ elapsedMs: number }>;
