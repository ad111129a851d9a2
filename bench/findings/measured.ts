/** What the measuring program prints: rows of the file, rows of the past, and the time that each step took. */
export type Measured = Readonly<{
  rows: number;
  pastRows: number;
  ingestMs: number;
  findingsMs: number;
  ingestCpuSeconds: number;
  findingsCpuSeconds: number;
  /** Codes and counts, to see that the findings are not a matter of speed alone. */
  findings: Readonly<Record<string, number>>;
}>;
