import { Readable } from 'node:stream';
import type { Output, Terminal } from '../../../src/cli/terminal/terminal.ts';

export type TerminalOptions = Readonly<{
  /** Whether a person sits there. */
  isTty?: boolean;
  /** How wide the terminal is; by default wide enough for everything. */
  columns?: number;
  /** What comes by standard input. */
  input?: string;
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
    input: { stream: Readable.from(input === '' ? [] : [Buffer.from(input)]), isTty },
    printed: () => texts.out,
    said: () => texts.err,
  };
}
