import type { ErrorFacts } from '../domain/errors/catalogue.ts';
import type { UncertainKind } from '../domain/errors/uncertain-cells.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import { type Problem, problem } from '../domain/rows/row-rules-problem.ts';
import { VALUE_CHARS_MAX } from '../domain/rows/row-rules-text.ts';
import type { AcceptedRow, RowCells, RowRefusal } from '../domain/rows/row-rules.ts';
import { COLUMNS, type RowNumber } from '../domain/rows/row.ts';
import type { EmptyColumn, TableLayout } from './header.ts';
import { type RawRow, WHOLE_ROW } from './table-block.ts';
import { trimSpaces } from './trim-spaces.ts';

/** A reason to refuse a row that no rule about its texts finds: how the row stands in its file. */
type Doubt = Readonly<{ column: RefusedRow['column']; problem: Problem }>;

/** Returns the cell at a position. A missing column has position -1, and empty cells. */
export const cellAt = (cells: readonly string[], position: number): string =>
  position === -1 ? '' : trimSpaces(cells[position] ?? '');

/** Returns the doubts about a row; undefined for none. */
export function doubtsOf(raw: RawRow, layout: TableLayout): readonly Doubt[] | undefined {
  const { doubts, cells } = raw;
  const { positions, emptyColumns, decimalComma } = layout;
  if (doubts === undefined && emptyColumns.length === 0 && !decimalComma) return undefined;
  const whole = doubts?.get(WHOLE_ROW);
  const found: Doubt[] = [
    ...(whole === undefined ? [] : [{ column: 'row' as const, problem: whole }]),
    ...emptyColumns.flatMap((column) => filled(column, cells)),
    ...COLUMNS.flatMap((column) => {
      const doubt = positions[column] === -1 ? undefined : doubts?.get(positions[column]);
      return doubt === undefined ? [] : [{ column, problem: doubt }];
    }),
  ];
  const amount = cellAt(cells, positions.amount);
  const hasDoubt = found.some(({ column }) => column === 'amount');
  if (decimalComma && amount.includes('.') && !hasDoubt) {
    found.push({ column: 'amount', problem: problem('AMOUNT_HAS_POINT', { text: amount }) });
  }
  return found.length === 0 ? undefined : found;
}

function filled({ position, name }: EmptyColumn, cells: readonly string[]): Doubt[] {
  const text = cellAt(cells, position).slice(0, VALUE_CHARS_MAX);
  if (text === '') return [];
  const found =
    name === '' ? problem('COLUMN_UNNAMED', { text }) : problem('TAG_UNSUPPORTED', { name, text });
  return [{ column: 'row', problem: found }];
}

/** Refuses a row for its doubts. They take the place of other reasons about the same cells. */
export function withDoubts(
  result: AcceptedRow | RowRefusal,
  doubts: readonly Doubt[],
  { line, texts }: Readonly<{ line: RowNumber; texts: RowCells }>,
): RowRefusal {
  const isDoubted = (column: RefusedRow['column']) => doubts.some((one) => one.column === column);
  const others = result.ok ? [] : result.reasons.filter(({ column }) => !isDoubted(column));
  const { amount, currency } = result.ok ? result.row : (result.reasons[0] ?? {});
  const reasons = doubts.map(({ column, problem: { code, facts } }): RefusedRow => {
    const value = (column === 'row' ? '' : texts[column]).slice(0, VALUE_CHARS_MAX);
    return {
      row: line,
      column,
      code,
      facts,
      value,
      ...(amount === undefined || isDoubted('amount') ? {} : { amount }),
      ...(currency === undefined || isDoubted('currency') ? {} : { currency }),
    };
  });
  return { ok: false, reasons: [...reasons, ...others].sort(byColumn) };
}

const ORDER: readonly RefusedRow['column'][] = ['row', ...COLUMNS];
const byColumn = (a: RefusedRow, b: RefusedRow): number =>
  ORDER.indexOf(a.column) - ORDER.indexOf(b.column);

/** Whether a cell holds a number that the spreadsheet calculated. */
export const isCalculated = (doubt: Problem | undefined): boolean =>
  doubt?.code === 'SHEET_CELL_UNCERTAIN' &&
  CALCULATED.includes((doubt.facts as ErrorFacts<'SHEET_CELL_UNCERTAIN'>).kind);

const CALCULATED: readonly UncertainKind[] = ['formula', 'noise'];
