import type { Output } from './terminal.ts';

/** Moves to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001B[2K';

export type Talk = Readonly<{
  /** Writes a line of its own. */
  say(line: string): void;
  /** Shows a line that the next one replaces; where nobody watches, nothing is shown. */
  show(line: string): void;
  /** Takes the shown line away. */
  clear(): void;
}>;

/** Talks on a stream whose last line may be a live one. */
export function createTalk(stream: Output): Talk {
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
