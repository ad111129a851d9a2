import type { Finding } from '../domain/plan/finding.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import type { RecipientSum } from './limit-checker.ts';
import type { PossibleTotal, SwallowedRows } from './read-row.ts';
import type { References } from './reference-rule.ts';

/**
 * The results of the rules for the rows of one block, as plain data that a thread can return. What
 * depends on other blocks is left to `Intake`.
 */
export type CheckedBlock = Readonly<{
  rowCount: number;
  refusedRowCount: number;
  refused: readonly RefusedRow[];
  /** Each currency in the block, with the first row that has it. */
  currencies: readonly (readonly [string, RowNumber])[];
  references: References;
  /** Lines in which an unclosed quote has probably swallowed rows. The rows after them are missing. */
  swallowed: SwallowedRows | undefined;
  /** The last row, when it may be a total. It is not counted. */
  possibleTotal: PossibleTotal | undefined;
  /** A line of content for each accepted row, in order; see `contentLine`. */
  content: Uint8Array<ArrayBuffer>;
  /** The accepted rows of each currency, in the order in which the currencies first appear. */
  accepted: readonly CheckedRows[];
  findings: readonly Finding[];
  recipients: readonly RecipientSum[];
}>;

/** Accepted rows of one currency, in order. */
export type CheckedRows = Readonly<{
  currency: string;
  /** Each row as `packRow` writes it, on a line of its own: in a text of a row a line end is written as an escape. */
  packed: string;
  /** The amount of each row, separated by spaces. */
  amounts: string;
  /** The sum of the amounts. */
  total: string;
  /** The fingerprint of each row; see domain/plan/row-print.ts. */
  prints: Int32Array<ArrayBuffer>;
  /** The identities of each row; see domain/payees/identity.ts. */
  identities: Int32Array<ArrayBuffer>;
}>;
