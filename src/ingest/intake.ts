import { createHash } from 'node:crypto';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { createRowSet } from '../domain/plan/row-print.ts';
import type { RowLimits } from '../domain/plan/rules.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { RowsSummary, StagedChunk } from '../domain/rows/staging.ts';
import type { CheckedBlock } from './checked-block.ts';
import type { PossibleTotal } from './read-row.ts';
import { type ChunkSizes, createChunker } from './chunker.ts';
import { createFindingCollector } from './finding-collector.ts';
import { createRecipientLimits } from './limit-checker.ts';
import { CURRENCIES_MAX } from './limits.ts';
import { createDuplicateFinder, type DuplicateRows } from './reference-rule.ts';

export type IntakeOptions = Readonly<{
  file: string;
  chunkSizes: ChunkSizes;
  limits: RowLimits;
  rowsMax: number;
}>;

/** The results of one block of rows, in row order. */
export type BlockResult = Readonly<{
  refused: readonly RefusedRow[];
  chunks: readonly StagedChunk[];
}>;

/**
 * Takes the checked blocks of a file in order. It decides what depends on several blocks
 * (duplicates, limits, chunks), and collects the summary of all rows.
 */
export type Intake = Readonly<{
  /**
   * Takes a block. `checkAgain` checks it once more, with the rows to refuse for their reference.
   * @throws QUOTE_OVER_ROWS, FILE_TOO_MANY_CURRENCIES, FILE_TOO_MANY_ROWS.
   */
  take(block: CheckedBlock, checkAgain: (duplicates: DuplicateRows) => CheckedBlock): BlockResult;
  /** Returns the incomplete chunks. Call it once, after the last row and before `summary`. */
  takeRemaining(): readonly StagedChunk[];
  rowCount(): number;
  /** Returns the summary without the fields of the file itself. */
  summary(): RowsSummary;
}>;

export function createIntake(options: IntakeOptions): Intake {
  const { file, limits, rowsMax: max } = options;
  const chunker = createChunker(options.chunkSizes);
  const findings = createFindingCollector();
  const recipients = createRecipientLimits(limits.payee);
  const refuseFurtherCurrencies = createCurrencyCount(file);
  const duplicatesIn = createDuplicateFinder();
  const rowSet = createRowSet();
  const content = createHash('sha256');
  let rows = 0;
  let refusedRows = 0;
  let possibleTotal: PossibleTotal | undefined;

  /** A row that follows a possible total shows that it is none. Returns its reasons. */
  function refusedTotal({ rowCount, possibleTotal: next }: CheckedBlock): readonly RefusedRow[] {
    const earlier = possibleTotal;
    if (rowCount === 0 && next === undefined) return [];
    possibleTotal = next;
    if (earlier === undefined) return [];
    rows += 1;
    refusedRows += 1;
    return earlier.reasons;
  }

  return {
    take(checked, checkAgain) {
      refuseFurtherCurrencies(checked.currencies);
      if (checked.swallowed !== undefined) {
        throw new BursarError('QUOTE_OVER_ROWS', { file, ...checked.swallowed });
      }
      const noTotal = refusedTotal(checked);
      rows += checked.rowCount;
      if (rows > max) throw new BursarError('FILE_TOO_MANY_ROWS', { file, max });
      const duplicates = duplicatesIn(checked.references);
      const block = duplicates.size === 0 ? checked : checkAgain(duplicates);
      refusedRows += block.refusedRowCount;
      content.update(block.content);
      findings.merge(block.findings);
      recipients.add(block.recipients);
      for (const accepted of block.accepted) {
        rowSet.take(accepted.prints);
        chunker.add(accepted);
      }
      return { refused: [...noTotal, ...block.refused], chunks: chunker.takeFull() };
    },
    takeRemaining() {
      recipients.close(findings);
      return chunker.takeRemaining();
    },
    rowCount: () => rows,
    summary: () => ({
      contentSha256: content.digest('hex'),
      rowSet: rowSet.name(),
      chunks: chunker.chunkCount(),
      currencies: chunker.currencies(),
      findings: findings.findings(),
      limits: { row: limits.row, payee: limits.payee },
      rows,
      refusedRows,
      ...(possibleTotal === undefined ? {} : { totalRow: possibleTotal.total }),
    }),
  };
}

/**
 * Returns a function that takes the currencies of each block.
 * It throws FILE_TOO_MANY_CURRENCIES, because each currency of a file keeps one chunk open.
 */
function createCurrencyCount(file: string): (currencies: CheckedBlock['currencies']) => void {
  const known = new Set<string>();
  return (currencies) => {
    for (const [currency, line] of currencies) {
      if (known.has(currency)) continue;
      if (known.size === CURRENCIES_MAX) {
        throw new BursarError('FILE_TOO_MANY_CURRENCIES', { file, max: CURRENCIES_MAX, line });
      }
      known.add(currency);
    }
  };
}
