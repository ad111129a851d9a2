import type { ErrorFacts } from '../errors/catalogue.ts';
import type { ROW_ERRORS } from '../errors/row-errors.ts';
import type { RowColumn, RowNumber } from './row.ts';

export type RowErrorCode = keyof typeof ROW_ERRORS;

/**
 * One reason why one row is refused; a row may have several. `row` is the line on which the row starts, `column` the
 * place in it (`row` when it concerns the whole row). `amount` and `currency` stand when they could be read.
 */
export type RefusedRow<Code extends RowErrorCode = RowErrorCode> = Readonly<{
  row: RowNumber;
  column: RowColumn | 'row';
  code: Code;
  facts: ErrorFacts<Code>;
  value: string;
  amount?: string;
  currency?: string;
}>;
