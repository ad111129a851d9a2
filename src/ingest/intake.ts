import { createHash } from 'node:crypto';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { contentLine, PRINT_WORDS } from '../domain/plan/row-print.ts';
import { createRowSet } from '../domain/plan/row-set.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import { findingsOf } from '../domain/rows/row-rules-findings.ts';
import type { IngestSummary, RowLimits, StagedChunk } from '../domain/rows/staging.ts';
import { type ChunkSizes, createChunker } from './chunker.ts';
import { detachedCopy } from './detached.ts';
import { createDuplicateIndex } from './duplicate-index.ts';
import { createFindingBook } from './finding-book.ts';
import { createLimitBook } from './limit-book.ts';
import { createPrinter } from './printer.ts';
import { createRowReader } from './read-row.ts';
import { rowAt, type TableBlock } from './read-table.ts';

export type IntakeOptions = Readonly<{
  file: string;
  chunkSizes: ChunkSizes;
  limits: RowLimits;
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
  /** The chunks that did not become full; asked once, after the last row and before `summary`. */
  takeRest(): readonly StagedChunk[];
  rowCount(): number;
  summary(): Omit<IngestSummary, 'fileSha256' | 'sizeBytes'>;
}>;

export function createIntake(options: IntakeOptions): Intake {
  const readRow = createRowReader(options);
  const chunker = createChunker(options.chunkSizes);
  const findings = createFindingBook();
  const limits = createLimitBook(options.limits, findings);
  const duplicates = createDuplicateIndex(() => options.expectedRows(rows));
  const rowSet = createRowSet();
  const print = createPrinter();
  const content = createHash('sha256');
  let rows = 0;
  let refusedRows = 0;

  /** The content of accepted rows says what is paid, however it is written: it names the file and finds equal rows. */
  function accept(accepted: readonly AcceptedRow[]): void {
    let text = '';
    for (const { row, address } of accepted) {
      text += contentLine(row.currency, address.canonical, row.amount);
    }
    const bytes = Buffer.from(text, 'utf8');
    content.update(bytes);
    const prints = print(bytes, accepted);
    rowSet.take(prints);
    for (const { row, firstRow } of duplicates.take(prints)) {
      findings.note('DUPLICATE_ROW', { row, detail: `same as row ${firstRow}` });
    }
    accepted.forEach((each, i) => {
      const { row, amount, address } = each;
      for (const [code, detail] of findingsOf(each)) findings.note(code, { row: row.row, detail });
      limits.take(row, amount, address.canonical);
      chunker.add({ row, amount }, prints, i * PRINT_WORDS);
    });
  }

  return {
    take(block) {
      const refused: RefusedRow[] = [];
      const accepted: AcceptedRow[] = [];
      for (let index = 0; index < block.cells.length; index++) {
        const verdict = readRow(rowAt(block, index), block.layout);
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
      accept(accepted);
      return { refused: detachedCopy(refused), chunks: chunker.takeFull() };
    },
    takeRest() {
      limits.close();
      return chunker.takeRest();
    },
    rowCount: () => rows,
    summary: () => ({
      contentSha256: content.digest('hex'),
      rowSet: rowSet.name(),
      rows,
      refusedRows,
      chunks: chunker.chunkCount(),
      currencies: chunker.currencies(),
      findings: findings.findings(),
      limits: { row: options.limits.row, payee: options.limits.payee },
    }),
  };
}
