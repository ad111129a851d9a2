import type { Planned } from '../contract/activities.ts';
import type { BatchInput } from '../contract/batch.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { checkControlTotals } from '../domain/plan/control-totals.ts';
import { digestOf } from '../domain/plan/digest.ts';
import { type Finding, openFindings } from '../domain/plan/finding.ts';
import type { IngestSummary } from '../domain/rows/staging.ts';
import { externalIdOf, idempotencyKeyOf } from '../domain/sending/identity.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { ChunkHead } from '../store/staging.ts';
import type { Store } from '../store/store.ts';

type PlanDeps = Readonly<{ store: Pick<Store, 'batches' | 'staging' | 'chunks'> }>;

/** Freezes what will be paid: chunks, keys, findings, digest. Made again, it is the same plan. */
export async function planBatch({ store }: PlanDeps, input: BatchInput): Promise<Planned> {
  const batch = await store.batches.find(input.batchId);
  if (batch === undefined || batch.ingestId === null || batch.summary === null) {
    throw new BursarError('INTERNAL', { message: `batch ${input.batchId} was not read` });
  }
  const { summary } = batch;
  refuseBadRows(summary, input);
  checkControlTotals(input.options, summary);
  const chunks = planChunks(batch, await store.staging.heads(batch.ingestId));
  const plan = await store.batches.planOnce({ ...batch, ...summary }, (earlier) => {
    const findings = allFindings(summary, earlier);
    return {
      findings,
      digest: digestOf({ ...planFacts(batch, summary, input), findings, chunks }),
    };
  });
  refuseOpenFindings(plan.findings, input);
  await store.chunks.plan(batch.batchId, chunks);
  return { kind: 'planned', digest: plan.digest, chunks: chunks.length };
}

function refuseBadRows(summary: IngestSummary, { options, file }: BatchInput): void {
  const accepted = summary.rows - summary.refusedRows;
  if (summary.refusedRows === 0 || (options.skipInvalid && accepted > 0)) return;
  throw new BursarError('FILE_ROWS_REFUSED', {
    file: file.name,
    refused: summary.refusedRows,
    rows: summary.rows,
    nack: 'nack.csv',
  });
}

const planFacts = (batch: BatchRecord, summary: IngestSummary, { options }: BatchInput) => ({
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
});

function allFindings(summary: IngestSummary, earlier: BatchRecord | undefined): Finding[] {
  const skipped: Finding[] =
    summary.refusedRows === 0
      ? []
      : [{ code: 'ROWS_SKIPPED', count: summary.refusedRows, examples: [] }];
  const again: Finding[] =
    earlier === undefined
      ? []
      : [
          {
            code: 'SAME_FILE_AGAIN',
            count: summary.rows - summary.refusedRows,
            examples: [
              {
                row: 0,
                detail: `batch ${earlier.batchId} (${earlier.endState ?? 'not ended yet'})`,
              },
            ],
          },
        ];
  return [...summary.findings, ...skipped, ...again];
}

/** The plan's digest covers the findings; here it is settled whether somebody has accepted them. */
function refuseOpenFindings(findings: readonly Finding[], { batchId, options }: BatchInput): void {
  const open = openFindings(findings, options.accept);
  const again = open.find(({ code }) => code === 'SAME_FILE_AGAIN');
  if (again !== undefined) {
    throw new BursarError('SAME_FILE_AGAIN', { batchId, earlier: again.examples[0]?.detail ?? '' });
  }
  if (open.length === 0) return;
  const codes = open.map(({ code }) => code).join(', ');
  throw new BursarError('FINDINGS_NOT_ACCEPTED', { codes });
}

const planChunks = (batch: BatchRecord, heads: readonly ChunkHead[]) =>
  heads.map((head) => ({
    ...head,
    idempotencyKey: idempotencyKeyOf({ ...batch, chunk: head.chunk }),
    externalId: externalIdOf({ ...batch, chunk: head.chunk }),
  }));
