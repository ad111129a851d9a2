import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/**
 * Prints a question and reads one line. Returns undefined when the input ends, or the command is interrupted, before.
 */
export async function ask(
  terminal: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  terminal.err.write(question);
  const { stream } = terminal.input;
  // A stream that has ended emits nothing more, so its reader would wait for ever.
  if (stream.readableEnded || stream.destroyed) return undefined;
  const lines = createInterface({ input: stream, terminal: false, signal });
  try {
    for await (const line of lines) return line.trim();
    terminal.err.write('\n');
    return undefined;
  } finally {
    lines.close();
  }
}

/** Swallows the echo of typed keys. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Prints a question and reads a secret, of which the terminal shows nothing. Returns undefined when the input ends, or
 * the command is interrupted, before.
 */
export async function askSecret(
  terminal: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  terminal.err.write(question);
  const { stream } = terminal.input;
  if (stream.readableEnded || stream.destroyed) return undefined;
  const lines = createInterface({ input: stream, output: nowhere(), terminal: true, signal });
  try {
    for await (const line of lines) return line;
    return undefined;
  } finally {
    lines.close();
    terminal.err.write('\n');
  }
}
