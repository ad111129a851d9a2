import type { Readable } from 'node:stream';
import type { Progress } from '../../operations/context.ts';

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

/** Moves to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001B[2K';

/** Talks on a stream whose last line may be a live one. */
export function createTalk(stream: Output): Progress {
  let isShowing = false;
  const clear = (): void => {
    if (isShowing) stream.write(CLEAR_LINE);
    isShowing = false;
  };
  return {
    clear,
    say(line) {
      clear();
      stream.write(`${line}\n`);
    },
    show(line) {
      if (!stream.isTty) return;
      stream.write(`${CLEAR_LINE}${line.slice(0, Math.max(1, stream.columns - 1))}`);
      isShowing = true;
    },
  };
}
