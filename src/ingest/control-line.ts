import { isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { canonicalAmount } from '../domain/money/amount.ts';
import type { ControlTotals } from '../domain/plan/control-totals.ts';
import { ROW_CHARS_MAX } from './limits.ts';

/** Reads the control line: the line before the header with the number of rows and their totals. */
export type ControlLineReader = Readonly<{
  /**
   * Returns the text without the control line. An empty line replaces it, so that rows keep their
   * numbers. The text has LF line ends.
   * @throws CONTROL_LINE_UNREADABLE.
   */
  removeFrom(texts: AsyncIterable<string>): AsyncGenerator<string>;
  /** Reads a row of a sheet before its header, if it is a control line. @throws CONTROL_LINE_UNREADABLE. */
  takeRow(text: string, row: number): boolean;
  /** Returns the totals, or undefined without a control line. Call it after reading the text. */
  totals(): ControlTotals | undefined;
}>;

/** A text without its control lines: empty lines, and the text after them. */
type SplitText = Readonly<{ emptyLines: string; remaining: string; isHeaderNext: boolean }>;

/** Lines without a value: spreadsheets write an empty row as delimiters. */
const EMPTY_LINES = /^(?:[ ,;\t]*\n)+/;
const CONTROL_LINE = /^ *#/;

export function createControlLineReader(file: string): ControlLineReader {
  let totals: ControlTotals | undefined;
  let line = 1;

  function read(text: string): void {
    const result = totals === undefined ? readControlLine(text) : 'a file has one at most';
    if (typeof result === 'string') {
      throw new BursarError('CONTROL_LINE_UNREADABLE', { file, line, problem: result });
    }
    totals = result;
  }

  function split(text: string): SplitText {
    let [emptyLines, remaining] = ['', text];
    for (;;) {
      const [empty = ''] = EMPTY_LINES.exec(remaining) ?? [];
      emptyLines += empty;
      line += empty.split('\n').length - 1;
      remaining = remaining.slice(empty.length);
      const end = remaining.indexOf('\n');
      if (end === -1 && remaining.length <= ROW_CHARS_MAX) {
        return { emptyLines, remaining, isHeaderNext: false };
      }
      if (!isControlLine(remaining, end)) return { emptyLines, remaining, isHeaderNext: true };
      read(remaining.slice(0, end));
      remaining = remaining.slice(end);
    }
  }

  return {
    totals: () => totals,
    takeRow(text, row) {
      if (!CONTROL_LINE.test(text)) return false;
      line = row;
      read(text);
      return true;
    },
    async *removeFrom(texts) {
      let text = '';
      let isHeaderReached = false;
      for await (const piece of texts) {
        if (isHeaderReached) {
          yield piece;
          continue;
        }
        const { emptyLines, remaining, isHeaderNext } = split(text + piece);
        isHeaderReached = isHeaderNext;
        text = isHeaderNext ? '' : remaining;
        yield isHeaderNext ? emptyLines + remaining : emptyLines;
      }
      if (isHeaderReached) return;
      const { emptyLines, remaining } = split(`${text}\n`);
      yield emptyLines + remaining;
    },
  };
}

/** Whether the text begins with a control line. The table reader refuses a malformed line. */
function isControlLine(text: string, end: number): boolean {
  const isSound = end !== -1 && end <= ROW_CHARS_MAX;
  return isSound && CONTROL_LINE.test(text) && !text.slice(0, end).includes('\r');
}

const NO_WORD = 'every word of it must be rows=NUMBER or total=AMOUNT:CURRENCY';

/** Delimiters of the empty cells that spreadsheets add to a short line. */
const EMPTY_CELLS = ',;\t ';

function withoutEmptyCells(text: string): string {
  let end = text.length;
  while (end > 0 && EMPTY_CELLS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Reads `# rows=1000 total=1500.75:USDT_TRC20 total=2:BTC`. Returns the problem of another line.
 */
function readControlLine(text: string): ControlTotals | string {
  const words = withoutEmptyCells(text.replace(CONTROL_LINE, '')).split(' ').filter(Boolean);
  const counts = words.flatMap((word) => ROWS.exec(word)?.[1] ?? []);
  const totals = words.flatMap((word) => readTotal(word) ?? []);
  const currencies = totals.map((total) => total.split(':')[1]);
  if (words.length === 0) return 'it is empty';
  if (counts.length + totals.length !== words.length) return NO_WORD;
  if (counts.length > 1) return 'it has rows= twice';
  if (new Set(currencies).size < currencies.length) return 'it has two totals of one currency';
  return { expectCount: counts[0] === undefined ? null : Number(counts[0]), expectTotals: totals };
}

const ROWS = /^rows=(\d{1,9})$/;
const TOTAL = /^total=([^:]+)(?::([^:]+))?$/;

/** Returns a total in its canonical form, or undefined for another word. */
function readTotal(word: string): string | undefined {
  const [, text, currency] = TOTAL.exec(word) ?? [];
  const amount = text === undefined ? undefined : canonicalAmount(text);
  if (amount === undefined || currency === undefined) return amount;
  return isCurrency(currency) ? `${amount}:${currency}` : undefined;
}
