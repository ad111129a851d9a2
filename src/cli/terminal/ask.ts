import { createInterface } from 'node:readline';
import type { Terminal } from './terminal.ts';

/** Asks a question and reads one line; undefined when the input ends, or the command is interrupted, before. */
export async function ask(
  terminal: Pick<Terminal, 'err' | 'input'>,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  terminal.err.write(question);
  const lines = createInterface({ input: terminal.input.stream, terminal: false, signal });
  try {
    for await (const line of lines) return line.trim();
    terminal.err.write('\n');
    return undefined;
  } finally {
    lines.close();
  }
}
