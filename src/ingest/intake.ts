import { BursarError } from '../domain/errors/bursar-error.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { Row } from '../domain/rows/row.ts';
import type { AcceptedRow, RowRefusal } from '../domain/rows/row-rules.ts';
import type { IngestSummary, RowLimits, StagedChunk } from '../domain/rows/staging.ts';
import { createAcceptor } from './accept-rows.ts';
import type { ChunkSizes } from './chunker.ts';
import { detachedCopy } from './detached.ts';
import { createRowReader } from './read-row.ts';
import { rowAt, type TableBlock } from './read-table.ts';

export type IntakeOptions = Readonly<{
  file: string;
  chunkSizes: ChunkSizes;
  limits: RowLimits;
  /** Currency of rows that name none; empty when there is none. */
  defaultCurrency: string;
  rowsMax: number;
}>;

/** What one block of rows gave, in the order of the rows. */
export type BlockResult = Readonly<{
  refused: readonly RefusedRow[];
  chunks: readonly StagedChunk[];
}>;

/** Takes the rows of a file, block by block, and keeps the facts about all of them. */
export type Intake = Readonly<{
  /** Throws QUOTE_OVER_ROWS, FILE_TOO_MANY_CURRENCIES and FILE_TOO_MANY_ROWS. */
  take(block: TableBlock): BlockResult;
  /** As `take`, of rows that were read before and are in order. */
  takeRows(rows: readonly Row[]): BlockResult;
  /** The chunks that did not become full; call it once, after the last row and before `summary`. */
  takeRest(): readonly StagedChunk[];
  rowCount(): number;
  summary(): Omit<IngestSummary, 'fileSha256' | 'sizeBytes'>;
}>;

/** The verdict on the nth row; undefined where there is none. */
type VerdictAt = (index: number) => AcceptedRow | RowRefusal | undefined;

export function createIntake(options: IntakeOptions): Intake {
  const readRow = createRowReader(options);
  const acceptor = createAcceptor(options);
  let rows = 0;
  let refusedRows = 0;

  function takeAll(count: number, verdictAt: VerdictAt): BlockResult {
    const refused: RefusedRow[] = [];
    const accepted: AcceptedRow[] = [];
    for (let index = 0; index < count; index++) {
      const verdict = verdictAt(index);
      if (verdict === undefined) continue;
      rows += 1;
      if (verdict.ok) {
        accepted.push(verdict);
      } else {
        refused.push(...verdict.reasons);
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
    takeRows: (given) =>
      takeAll(given.length, (index) => {
        const row = given[index];
        return row && readRow.again(row);
      }),
    takeRest: acceptor.takeRest,
    rowCount: () => rows,
    summary: () => ({ ...acceptor.summary(), rows, refusedRows }),
  };
}
