import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Output, Terminal } from '../../../src/cli/terminal/terminal.ts';

export type TerminalOptions = Readonly<{
  /** Whether a person sits there. */
  isTty?: boolean;
  /** How wide the terminal is; by default wide enough for everything. */
  columns?: number;
  /** What comes by standard input; of several, each comes once the one before was read. */
  input?: string | readonly string[];
}>;

export type FakeTerminal = Terminal & Readonly<{ printed(): string; said(): string }>;

/** A terminal that remembers what was written to it. */
export function fakeTerminal({
  isTty = false,
  columns = 200,
  input = '',
}: TerminalOptions = {}): FakeTerminal {
  const texts = { out: '', err: '' };
  const output = (name: 'out' | 'err'): Output => ({
    isTty,
    columns,
    write(text) {
      texts[name] += text;
    },
  });
  return {
    out: output('out'),
    err: output('err'),
    input: { stream: Readable.from(partsOf(input)), isTty },
    printed: () => texts.out,
    said: () => texts.err,
  };
}

async function* partsOf(input: string | readonly string[]): AsyncGenerator<Buffer> {
  for (const part of typeof input === 'string' ? [input] : input) {
    await setImmediate();
    if (part !== '') yield Buffer.from(part);
  }
}
