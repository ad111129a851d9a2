import { createHash } from 'node:crypto';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';
import type { AcceptedRow, RowRefusal } from '../domain/rows/row-rules.ts';
import { findingsOf } from '../domain/rows/row-rules-findings.ts';
import type { IngestSummary, StagedChunk } from '../domain/rows/staging.ts';
import { createChunker } from './chunker.ts';
import { detachedCopy } from './detached.ts';
import { createDuplicateIndex } from './duplicate-index.ts';
import { createFindingBook } from './finding-book.ts';
import { createRowReader } from './read-row.ts';
import { rowAt, type TableBlock } from './read-table.ts';

export type IntakeOptions = Readonly<{
  file: string;
  chunkRows: number;
  /** Currency of rows that name none; empty when there is none. */
  defaultCurrency: string;
  rowsMax: number;
  /** A guess at how many rows the whole file has. */
  expectedRows(rowsSoFar: number): number;
}>;

/** What one block of rows gave, in the order of the rows. */
export type BlockResult = Readonly<{
  refused: readonly RefusedRow[];
  chunks: readonly StagedChunk[];
}>;

/** Takes the rows of a file, block by block, and keeps what has to be known of all of them. */
export type Intake = Readonly<{
  /** Throws QUOTE_OVER_ROWS, FILE_TOO_MANY_CURRENCIES and FILE_TOO_MANY_ROWS. */
  take(block: TableBlock): BlockResult;
  /** As `take`, of rows that were read before and are in order. */
  takeRows(rows: readonly Row[]): BlockResult;
  /** The chunks that did not become full; asked once, before `summary`. */
  takeRest(): readonly StagedChunk[];
  rowCount(): number;
  summary(): Omit<IngestSummary, 'fileSha256' | 'sizeBytes'>;
}>;

/** The verdict on the nth row; undefined where there is none. */
type VerdictAt = (index: number) => AcceptedRow | RowRefusal | undefined;

export function createIntake(options: IntakeOptions): Intake {
  const readRow = createRowReader(options);
  const chunker = createChunker(options.chunkRows);
  const findings = createFindingBook();
  const duplicates = createDuplicateIndex(() => options.expectedRows(rows));
  const content = createHash('sha256');
  let rows = 0;
  let refusedRows = 0;

  /** Keeps what an accepted row adds; returns its line of the content. */
  function accept(accepted: AcceptedRow): string {
    const { row, amount, address } = accepted;
    for (const [code, detail] of findingsOf(accepted)) findings.note(code, row.row, detail);
    chunker.add(row, amount);
    return `${row.currency}\t${address.canonical}\t${row.amount}\n`;
  }

  /** The content of accepted rows says what is paid, however it is written: it names the file and finds duplicates. */
  function takeContent(text: string, acceptedRows: readonly RowNumber[]): void {
    const bytes = Buffer.from(text, 'utf8');
    content.update(bytes);
    for (const { row, firstRow } of duplicates.take(bytes, acceptedRows)) {
      findings.note('DUPLICATE_ROW', row, `same as row ${firstRow}`);
    }
  }

  function takeAll(count: number, verdictAt: VerdictAt): BlockResult {
    const refused: RefusedRow[] = [];
    const acceptedRows: RowNumber[] = [];
    let text = '';
    for (let index = 0; index < count; index++) {
      const verdict = verdictAt(index);
      if (verdict === undefined) continue;
      rows += 1;
      if (verdict.ok) {
        text += accept(verdict);
        acceptedRows.push(verdict.row.row);
      } else {
        refused.push(...verdict.reasons);
        refusedRows += 1;
      }
    }
    const { file, rowsMax: max } = options;
    if (rows > max) throw new BursarError('FILE_TOO_MANY_ROWS', { file, max });
    takeContent(text, acceptedRows);
    return { refused: detachedCopy(refused), chunks: chunker.takeFull() };
  }

  return {
    take: (block) =>
      takeAll(block.cells.length, (index) => readRow(rowAt(block, index), block.layout)),
    takeRows: (given) =>
      takeAll(given.length, (index) => {
        const row = given[index];
        return row && readRow.again(row);
      }),
    takeRest: () => chunker.takeRest(),
    rowCount: () => rows,
    summary: () => ({
      contentSha256: content.digest('hex'),
      rows,
      refusedRows,
      chunks: chunker.chunkCount(),
      currencies: chunker.currencies(),
      findings: findings.findings(),
    }),
  };
}
