import type { Readable } from 'node:stream';

/** Where a command writes: a stream of the process, or of a test. */
export type Output = Readonly<{
  write(text: string): void;
  isTty: boolean;
  /** Characters of one line, if the terminal reports them. */
  columns: number;
}>;

/** Everything through which a command speaks with a person or a pipe. */
export type Terminal = Readonly<{
  /** Data: what another program may read. */
  out: Output;
  /** Talk: progress, hints, warnings, questions. */
  err: Output;
  input: Readonly<{ stream: Readable; isTty: boolean }>;
}>;
