import { createHash } from 'node:crypto';
import { contentLine, createRowSet, PRINT_WORDS, writePrint } from '../domain/plan/row-print.ts';
import type { RowLimits } from '../domain/plan/rules.ts';
import { findingsOf } from '../domain/rows/row-rules-findings.ts';
import type { AcceptedRow } from '../domain/rows/row-rules.ts';
import type { StagedChunk } from '../domain/rows/staging.ts';
import { type ChunkSizes, createChunker } from './chunker.ts';
import { createFindingCollector } from './finding-collector.ts';
import { createFingerprintSpaces } from './fingerprint-spaces.ts';
import { createLimitChecker } from './limit-checker.ts';

export type RowAcceptorOptions = Readonly<{
  chunkSizes: ChunkSizes;
  limits: RowLimits;
}>;

/** Adds accepted rows to chunks, to the hash of the content, to findings and to limits. */
export function createRowAcceptor(options: RowAcceptorOptions) {
  const chunker = createChunker(options.chunkSizes);
  const findings = createFindingCollector();
  const limits = createLimitChecker(options.limits, findings);
  const rowSet = createRowSet();
  const writeFingerprints = createFingerprintWriter();
  const content = createHash('sha256');

  /**
   * The content holds the payments in canonical form, so equal files have one hash and equal rows
   * match.
   */
  function accept(accepted: readonly AcceptedRow[]): void {
    let text = '';
    for (const { row, address } of accepted) {
      text += contentLine(row.currency, address.canonical, row.amount);
    }
    const bytes = Buffer.from(text, 'utf8');
    content.update(bytes);
    const fingerprints = writeFingerprints(bytes, accepted);
    rowSet.take(fingerprints);
    accepted.forEach((each, i) => {
      const { row, amount, address } = each;
      for (const [code, detail] of findingsOf(each)) findings.add(code, { row: row.row, detail });
      limits.take(row, amount, address.canonical);
      chunker.add({ row, amount }, fingerprints, i * PRINT_WORDS);
    });
  }

  return {
    accept,
    takeFull: (): readonly StagedChunk[] => chunker.takeFull(),
    takeRest(): readonly StagedChunk[] {
      limits.close();
      return chunker.takeRemaining();
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

/** Returns the fingerprints of accepted rows. `content` has a line for each, in the same order. */
type FingerprintWriter = (content: Uint8Array, accepted: readonly AcceptedRow[]) => Int32Array;

function createFingerprintWriter(): FingerprintWriter {
  const spaceOf = createFingerprintSpaces();
  return (content, accepted) => {
    const fingerprints = new Int32Array(accepted.length * PRINT_WORDS);
    let start = 0;
    accepted.forEach(({ row: { row, address, amount, currency } }, i) => {
      const space = spaceOf(currency);
      const printedRow = { space, content, start, row, address, amount };
      start = writePrint(fingerprints, i * PRINT_WORDS, printedRow);
    });
    return fingerprints;
  };
}
