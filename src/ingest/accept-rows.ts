import { createHash } from 'node:crypto';
import { contentLine, PRINT_WORDS } from '../domain/plan/row-print.ts';
import { createRowSet } from '../domain/plan/row-set.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import { findingsOf } from '../domain/rows/row-rules-findings.ts';
import type { RowLimits, StagedChunk } from '../domain/rows/staging.ts';
import { type ChunkSizes, createChunker } from './chunker.ts';
import { createFindingBook } from './finding-book.ts';
import { createLimitBook } from './limit-book.ts';
import { createPrinter } from './printer.ts';

/** What accepting rows depends on. */
export type AcceptorOptions = Readonly<{
  chunkSizes: ChunkSizes;
  limits: RowLimits;
}>;

/** Keeps what accepted rows add to chunks, content, findings and limits. */
export function createAcceptor(options: AcceptorOptions) {
  const chunker = createChunker(options.chunkSizes);
  const findings = createFindingBook();
  const limits = createLimitBook(options.limits, findings);
  const rowSet = createRowSet();
  const print = createPrinter();
  const content = createHash('sha256');

  /**
   * The content of accepted rows is their payments, in one spelling: it names the file, and its fingerprints find equal
   * rows.
   */
  function accept(accepted: readonly AcceptedRow[]): void {
    let text = '';
    for (const { row, address } of accepted) {
      text += contentLine(row.currency, address.canonical, row.amount);
    }
    const bytes = Buffer.from(text, 'utf8');
    content.update(bytes);
    const prints = print(bytes, accepted);
    rowSet.take(prints);
    accepted.forEach((each, i) => {
      const { row, amount, address } = each;
      for (const [code, detail] of findingsOf(each)) findings.note(code, { row: row.row, detail });
      limits.take(row, amount, address.canonical);
      chunker.add({ row, amount }, prints, i * PRINT_WORDS);
    });
  }

  return {
    accept,
    takeFull: (): readonly StagedChunk[] => chunker.takeFull(),
    takeRest(): readonly StagedChunk[] {
      limits.close();
      return chunker.takeRest();
    },
    summary: () => ({
      contentSha256: content.digest('hex'),
      rowSet: rowSet.name(),
      chunks: chunker.chunkCount(),
      currencies: chunker.currencies(),
      findings: findings.findings(),
      limits: { row: options.limits.row, payee: options.limits.payee },
    }),
  };
}
