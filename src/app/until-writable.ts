import type { Writable } from 'node:stream';

/** Resolves when a full stream takes more, or was closed. No listener is left: a list of any length waits often. */
export const untilWritable = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
