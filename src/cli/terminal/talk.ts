import type { Progress } from '../../operations/context.ts';
import type { Output } from './terminal.ts';

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
