import { canonicalAmount } from '../money/amount.ts';
import type { RowNumber } from './row.ts';

/** A total that stands below the rows of a file. `currency`: null where the row names none. */
export type TotalRow = Readonly<{ row: RowNumber; total: string; currency: string | null }>;

/** Words by which spreadsheets mark a total, in several languages. */
const WORDS: ReadonlySet<string> = new Set([
  ...['total', 'totals', 'grand total', 'sum', 'total amount'],
  ...['summe', 'gesamt', 'gesamtsumme', 'gesamtbetrag', 'insgesamt'],
  ...['totale', 'somme', 'suma', 'soma', 'totaal', 'razem', 'celkem', 'toplam'],
  ...['итого', 'всего', 'сумма', 'итог', 'разом', 'усього'],
]);

/** Characters of a word for a total, with signs behind it. Every address of a known network is longer. */
export const TOTAL_WORD_CHARS_MAX = 20;

/** Whether a cell marks its row as a total. */
const isTotalWord = (cell: string): boolean =>
  cell.length <= TOTAL_WORD_CHARS_MAX && WORDS.has(cell.toLowerCase().replace(/[ :=.]+$/, ''));

/** The cells of a row that may be a total. `all`: every cell, also of columns that are not read. */
export type TotalCells = Readonly<{
  all: readonly string[];
  address: string;
  amount: string;
  currency: string;
}>;

/** Returns the total of a row that has a word for a total, an amount and no address; undefined for any other row. */
export function totalOf(
  row: RowNumber,
  { all, address, amount, currency }: TotalCells,
): TotalRow | undefined {
  if (address !== '' && !isTotalWord(address)) return undefined;
  if (!all.some(isTotalWord)) return undefined;
  const total = canonicalAmount(amount);
  if (total === undefined) return undefined;
  const isNamed = currency !== '' && !isTotalWord(currency);
  return { row, total, currency: isNamed ? currency : null };
}
