import type { ControlTotals } from '../plan/control-totals.ts';
import type { Finding } from '../plan/finding.ts';
import type { RowLimits } from '../plan/rules.ts';
import type { RefusedRow } from './refused-row.ts';
import type { RowNumber } from './row.ts';
import type { TotalRow } from './total-row.ts';

/** The rows of one chunk as ingest hands them to the store. `total` is canonical decimal text. */
export type StagedChunk = Readonly<{
  /** From 0 up, in the order in which chunks became full; the same for the same file and settings. */
  chunk: number;
  currency: string;
  rowCount: number;
  total: string;
  firstRow: RowNumber;
  lastRow: RowNumber;
  /** The rows, written by `packRows`. */
  rows: string;
  /** SHA-256 of `rows`, lowercase hex. */
  rowsSha256: string;
  /** A fingerprint of each row, in the same order; see domain/plan/row-print.ts. */
  prints: Int32Array;
  /** The identities of each row, in the same order; see domain/payees/identity.ts. Missing: no row has any. */
  identities?: Int32Array;
}>;

/** Takes the rows of ingest in order. No row is visible to other programs before the whole file was read. */
export type StagingSink = Readonly<{
  putChunk(chunk: StagedChunk): Promise<void>;
  putRefused(rows: readonly RefusedRow[]): Promise<void>;
}>;

/** Distinct amounts that are remembered per currency, for fee quotes; beyond it none are. */
export const DISTINCT_AMOUNTS_MAX = 1_000;

export type CurrencySummary = Readonly<{
  currency: string;
  rows: number;
  total: string;
  /** Amount text and how many rows have it, sorted by amount text; null when there are too many different ones. */
  amounts: readonly (readonly [string, number])[] | null;
}>;

/** The counts, totals and hashes of the rows of a file. */
export type RowsSummary = Readonly<{
  /**
   * SHA-256 over currency, address and amount of all accepted rows in order: the same for a renamed or re-saved file.
   */
  contentSha256: string;
  /** The same for the same accepted rows in any order; see domain/plan/row-print.ts. */
  rowSet: string;
  /** All rows of the file: accepted and refused ones. */
  rows: number;
  refusedRows: number;
  chunks: number;
  currencies: readonly CurrencySummary[];
  findings: readonly Finding[];
  /** The totals in the control line of the file; missing when it has none. */
  controlTotals?: ControlTotals;
  /** The total in the last row, which is not counted as a row; missing where there is none. */
  totalRow?: TotalRow;
  /** The limits that the rows were held against; what broke them is among the findings. */
  limits: RowLimits;
}>;

/** The result of reading a file: counts, totals and hashes, never rows. */
export type IngestSummary = RowsSummary &
  Readonly<{
    fileSha256: string;
    sizeBytes: number;
    /** The sheet that was read; missing for a file that is no workbook. */
    sheet?: string;
  }>;
