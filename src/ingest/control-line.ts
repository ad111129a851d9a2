import { isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { canonicalAmount } from '../domain/money/amount.ts';
import type { ControlTotals } from '../domain/plan/control-totals.ts';
import { ROW_CHARS_MAX } from './limits.ts';

/** The line before the header with the file's number of rows and its totals. */
export type ControlLine = Readonly<{
  /**
   * Text with LF line ends without that line: an empty one stands for it, so that rows keep their numbers.
   * Throws CONTROL_LINE_UNREADABLE.
   */
  takeFrom(texts: AsyncIterable<string>): AsyncGenerator<string>;
  /** The totals of the line; undefined without one. Call it once the text has been read. */
  totals(): ControlTotals | undefined;
}>;

/** The parts at the start of a text: empty lines to pass on, the rest, and whether that starts with the header. */
type Taken = Readonly<{ passed: string; rest: string; isHeaderNext: boolean }>;

const EMPTY_LINES = /^(?: *\n)+/;
const CONTROL_LINE = /^ *#/;

export function createControlLine(file: string): ControlLine {
  let totals: ControlTotals | undefined;
  let line = 1;

  function read(text: string): void {
    const said = totals === undefined ? readControlLine(text) : 'a file has one at most';
    if (typeof said === 'string') {
      throw new BursarError('CONTROL_LINE_UNREADABLE', { file, line, problem: said });
    }
    totals = said;
  }

  function take(text: string): Taken {
    let [passed, rest] = ['', text];
    for (;;) {
      const [empty = ''] = EMPTY_LINES.exec(rest) ?? [];
      passed += empty;
      line += empty.split('\n').length - 1;
      rest = rest.slice(empty.length);
      const end = rest.indexOf('\n');
      if (end === -1 && rest.length <= ROW_CHARS_MAX) return { passed, rest, isHeaderNext: false };
      if (!isControlLine(rest, end)) return { passed, rest, isHeaderNext: true };
      read(rest.slice(0, end));
      rest = rest.slice(end);
    }
  }

  return {
    totals: () => totals,
    async *takeFrom(texts) {
      let text = '';
      let isHeaderReached = false;
      for await (const piece of texts) {
        if (isHeaderReached) {
          yield piece;
          continue;
        }
        const { passed, rest, isHeaderNext } = take(text + piece);
        isHeaderReached = isHeaderNext;
        text = isHeaderNext ? '' : rest;
        yield isHeaderNext ? passed + rest : passed;
      }
      if (isHeaderReached) return;
      const { passed, rest } = take(`${text}\n`);
      yield passed + rest;
    },
  };
}

/** The reader of the table refuses a line that is too long, or holds a bare carriage return. */
function isControlLine(text: string, end: number): boolean {
  const isSound = end !== -1 && end <= ROW_CHARS_MAX;
  return isSound && CONTROL_LINE.test(text) && !text.slice(0, end).includes('\r');
}

const NO_WORD = 'every word of it must be rows=NUMBER or total=AMOUNT:CURRENCY';

/** Spreadsheets fill a short line up with empty cells. */
const EMPTY_CELLS = ',;\t ';

function withoutEmptyCells(text: string): string {
  let end = text.length;
  while (end > 0 && EMPTY_CELLS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Reads `# rows=1000 total=1500.75:USDT_TRC20 total=2:BTC`. Returns the problem of any other line. */
function readControlLine(text: string): ControlTotals | string {
  const words = withoutEmptyCells(text.replace(CONTROL_LINE, '')).split(' ').filter(Boolean);
  const counts = words.flatMap((word) => ROWS.exec(word)?.[1] ?? []);
  const totals = words.flatMap((word) => readTotal(word) ?? []);
  const currencies = totals.map((total) => total.split(':')[1]);
  if (words.length === 0) return 'it says nothing';
  if (counts.length + totals.length !== words.length) return NO_WORD;
  if (counts.length > 1) return 'it says rows= twice';
  if (new Set(currencies).size < currencies.length) return 'it gives a currency two totals';
  return { expectCount: counts[0] === undefined ? null : Number(counts[0]), expectTotals: totals };
}

const ROWS = /^rows=(\d{1,9})$/;
const TOTAL = /^total=([^:]+)(?::([^:]+))?$/;

/** A total in its canonical form; undefined for any other word. */
function readTotal(word: string): string | undefined {
  const [, text, currency] = TOTAL.exec(word) ?? [];
  const amount = text === undefined ? undefined : canonicalAmount(text);
  if (amount === undefined || currency === undefined) return amount;
  return isCurrency(currency) ? `${amount}:${currency}` : undefined;
}
