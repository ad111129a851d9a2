import type { Writable } from 'node:stream';
import { untilWritable } from '../app/until-writable.ts';
import type { Progress } from '../operations/context.ts';

/** A line of JSON Lines: the progress, a part, the result or the end of an operation. */
export type WireLine =
  | Readonly<{ say: string }>
  | Readonly<{ show: string }>
  | Readonly<{ clear: true }>
  | Readonly<{ about: object }>
  | Readonly<{ item: object }>
  | Readonly<{ result: object }>
  | Readonly<{ end: true }>
  | Readonly<{ error: object }>;

/** Lines of progress that wait for a slow reader. Of more the oldest are left out. */
const KEPT_MAX = 1_000;

export type LineSender = Readonly<{
  /** Sends a line that the reader needs, and resolves when there is room for more. @throws when the reader has gone */
  out(line: WireLine): Promise<void>;
  /** Sends progress. While the reader does not read, only the newest of the lines that replace one another waits. */
  progress: Progress;
}>;

/** Writes lines in their order, and holds a limited number of them for a reader that stalls. */
export function createLineSender(lines: Writable): LineSender {
  let kept: readonly WireLine[] = [];
  let isFull = false;

  function write(line: WireLine): void {
    if (lines.write(`${JSON.stringify(line)}\n`) || isFull) return;
    isFull = true;
    void untilWritable(lines).then(() => {
      isFull = false;
      sendKept(() => isFull || lines.destroyed);
    });
  }

  function sendKept(isEnough: () => boolean): void {
    while (!isEnough()) {
      const [line, ...others] = kept;
      if (line === undefined) return;
      kept = others;
      write(line);
    }
  }

  function note(line: WireLine): void {
    if (lines.destroyed) return;
    if (!isFull) return write(line);
    const lasting = replaces(line) ? kept.filter((one) => !replaces(one)) : kept;
    kept = [...lasting, line].slice(-KEPT_MAX);
  }

  return {
    async out(line) {
      if (lines.destroyed) throw new Error('the caller has gone');
      sendKept(() => false);
      write(line);
      if (isFull) await untilWritable(lines);
    },
    progress: {
      say: (line) => note({ say: line }),
      show: (line) => note({ show: line }),
      clear: () => note({ clear: true }),
    },
  };
}

/** Whether a line takes the place of the one that was shown. */
const replaces = (line: WireLine): boolean => 'show' in line || 'clear' in line;
