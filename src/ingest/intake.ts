import { BursarError } from '../domain/errors/bursar-error.ts';
import type { RowLimits } from '../domain/plan/rules.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { Row } from '../domain/rows/row.ts';
import type { AcceptedRow, RowRefusal } from '../domain/rows/row-rules.ts';
import type { RowsSummary, StagedChunk } from '../domain/rows/staging.ts';
import { createRowAcceptor } from './row-acceptor.ts';
import type { ChunkSizes } from './chunker.ts';
import { detachedCopy } from './detached.ts';
import { createRowReader } from './read-row.ts';
import { rowAt, type TableBlock } from './read-table.ts';

export type IntakeOptions = Readonly<{
  file: string;
  chunkSizes: ChunkSizes;
  limits: RowLimits;
  /** The currency of rows without one; empty for none. */
  defaultCurrency: string;
  rowsMax: number;
}>;

/** The results of one block of rows, in row order. */
export type BlockResult = Readonly<{
  refused: readonly RefusedRow[];
  chunks: readonly StagedChunk[];
}>;

/** Takes the rows of a file block by block, and collects the summary of all rows. */
export type Intake = Readonly<{
  /**
   * Takes a block of a table. @throws QUOTE_OVER_ROWS, FILE_TOO_MANY_CURRENCIES,
   * FILE_TOO_MANY_ROWS.
   */
  take(block: TableBlock): BlockResult;
  /** Takes rows of an earlier import, in order. */
  takeRows(rows: readonly Row[]): BlockResult;
  /** Returns the incomplete chunks. Call it once, after the last row and before `summary`. */
  takeRemaining(): readonly StagedChunk[];
  rowCount(): number;
  /** Returns the summary without the fields of the file itself. */
  summary(): RowsSummary;
}>;

/** Returns the result of the row at an index, or undefined for a blank line. */
type RowResultAt = (index: number) => AcceptedRow | RowRefusal | undefined;

export function createIntake(options: IntakeOptions): Intake {
  const readRow = createRowReader(options);
  const acceptor = createRowAcceptor(options);
  let rows = 0;
  let refusedRows = 0;

  function takeAll(count: number, resultAt: RowResultAt): BlockResult {
    const refused: RefusedRow[] = [];
    const accepted: AcceptedRow[] = [];
    for (let index = 0; index < count; index++) {
      const result = resultAt(index);
      if (result === undefined) continue;
      rows += 1;
      if (result.ok) {
        accepted.push(result);
      } else {
        refused.push(...result.reasons);
        refusedRows += 1;
      }
    }
    const { file, rowsMax: max } = options;
    if (rows > max) throw new BursarError('FILE_TOO_MANY_ROWS', { file, max });
    acceptor.accept(accepted);
    return { refused: detachedCopy(refused), chunks: acceptor.takeFull() };
  }

  return {
    take: (block) =>
      takeAll(block.cells.length, (index) => readRow(rowAt(block, index), block.layout)),
    takeRows: (stored) =>
      takeAll(stored.length, (index) => {
        const row = stored[index];
        return row && readRow.check(row);
      }),
    takeRemaining: acceptor.takeRest,
    rowCount: () => rows,
    summary: () => ({ ...acceptor.summary(), rows, refusedRows }),
  };
}
