import { type ChunkIdentity, idempotencyKeyOf, sha256Hex } from '../sending/identity.ts';
import type { IngestSummary } from '../rows/staging.ts';
import type { Finding } from './finding.ts';

/** Everything that a batch decides before money moves. Instants are ISO 8601 or null, amounts decimal text. */
export type PlanFacts = Readonly<{
  account: string;
  batchId: string;
  generation: number;
  fileSha256: string;
  contentSha256: string;
  rows: number;
  refusedRows: number;
  at: string | null;
  executionDate: string | null;
  rowTag: string;
  accepted: readonly string[];
  findings: readonly Finding[];
  chunks: readonly Readonly<{
    chunk: number;
    currency: string;
    rowCount: number;
    total: string;
    rowsSha256: string;
    idempotencyKey: string;
  }>[];
}>;

/** What a plan is made from. */
export type PlanParts = Readonly<{
  batch: Omit<ChunkIdentity, 'chunk'>;
  summary: Pick<IngestSummary, 'fileSha256' | 'contentSha256' | 'rows' | 'refusedRows'>;
  options: Readonly<{
    at: string | null;
    executionDate: string | null;
    rowTag: string;
    accept: readonly string[];
  }>;
  findings: readonly Finding[];
  chunks: readonly Omit<PlanFacts['chunks'][number], 'idempotencyKey'>[];
}>;

/** Puts a plan together, with the key of each chunk. */
export const planFacts = ({ batch, summary, options, findings, chunks }: PlanParts): PlanFacts => ({
  account: batch.account,
  batchId: batch.batchId,
  generation: batch.generation,
  fileSha256: summary.fileSha256,
  contentSha256: summary.contentSha256,
  rows: summary.rows,
  refusedRows: summary.refusedRows,
  at: options.at,
  executionDate: options.executionDate,
  rowTag: options.rowTag,
  accepted: options.accept,
  findings,
  chunks: chunks.map((chunk) => ({
    ...chunk,
    idempotencyKey: idempotencyKeyOf({ ...batch, chunk: chunk.chunk }),
  })),
});

/** Names a plan: the same plan has the same digest, and any change of what would be paid changes it. */
export function digestOf(plan: PlanFacts): string {
  const lines = [
    'bursar.plan/v1',
    [plan.account, plan.batchId, plan.generation],
    [plan.fileSha256, plan.contentSha256, plan.rows, plan.refusedRows],
    [plan.at, plan.executionDate, plan.rowTag],
    [...plan.accepted].sort(),
    plan.findings.map(({ code, count }) => [code, count]),
    ...plan.chunks.map((chunk) => [
      chunk.chunk,
      chunk.currency,
      chunk.rowCount,
      chunk.total,
      chunk.rowsSha256,
      chunk.idempotencyKey,
    ]),
  ];
  return `sha256:${sha256Hex(lines.map((line) => JSON.stringify(line)).join('\n'))}`;
}
