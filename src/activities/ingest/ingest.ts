import type { BatchRecord } from '../../store/batches/types.ts';
import { cancellationSignal } from '@temporalio/activity';
import type { IngestActivities } from '../../contract/activities.ts';
import { type BatchInput, readBatchOptions } from '../../contract/batch.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { batchCodeOf } from '../../domain/sending/identity.ts';
import { ingestFile } from '../../ingest/index.ts';
import { orRefused } from '../shared/boundary.ts';
import { ingestResend, type ResendDeps } from './ingest-resend.ts';
import { type PlanDeps, planBatch } from '../plan/plan.ts';
import { refusingOnlyNew } from '../recheck/restored-store.ts';
import { recordSubmission, takerOf } from './submission.ts';

export type IngestDeps = PlanDeps &
  ResendDeps &
  Readonly<{
    /** The account id behind an account's name. */
    accountOf(accountRef: string): string;
  }>;

/** Reads the merchant's file into the store, and makes the plan. */
export const createIngestActivities = (deps: IngestDeps): IngestActivities => ({
  ingestFile: (input) =>
    orRefused(async () => {
      if (input.parentBatchId !== null) return ingestResend(deps, input);
      const batch = await register(deps, input);
      const summary =
        batch.summary ?? (await refusingOnlyNew(deps, batch, () => readFile(deps, input, batch)));
      return {
        kind: 'ingested',
        rows: summary.rows,
        refusedRows: summary.refusedRows,
        chunks: summary.chunks,
        currencies: summary.currencies.map(({ currency, rows, total }) => ({
          currency,
          rows,
          total,
        })),
      };
    }),

  planBatch: (input) => orRefused(() => planBatch(deps, input)),
});

/** Writes the batch down, unless it is; an id stands for one file for ever. */
async function register(deps: IngestDeps, input: BatchInput): Promise<BatchRecord> {
  const { store, accountOf } = deps;
  const account = accountOf(input.accountRef);
  const batch = await store.batches.register({
    batchId: input.batchId,
    code: batchCodeOf(account, input.batchId),
    accountRef: input.accountRef,
    account,
    fileName: input.file.name,
    fileSha256: input.file.sha256,
    submittedBy: input.submittedBy,
    submittedAtMs: Date.parse(input.submittedAt),
    optionsJson: JSON.stringify(input.options),
    generation: input.generation,
    parentBatchId: input.parentBatchId,
    takenBy: takerOf(deps, input),
  });
  if (batch.fileSha256 !== input.file.sha256) {
    throw new BursarError('BATCH_ID_TAKEN', { batchId: input.batchId });
  }
  if (batch.endState !== null) {
    throw new BursarError('BATCH_ENDED', { batchId: input.batchId, state: batch.endState });
  }
  await recordSubmission(deps, input);
  return batch;
}

async function readFile(
  { store, blobs, rules }: IngestDeps,
  { batchId, file }: BatchInput,
  { optionsJson }: BatchRecord,
): Promise<IngestSummary> {
  // The submitter signed these options. Those of a caller could pay rows in another currency.
  const options = readBatchOptions(optionsJson);
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  try {
    const summary = await ingestFile(
      { name: file.name, open: () => blobs.open(file.sha256) },
      {
        chunkRows: options.chunkRows,
        canaryRows: options.canaryRows,
        limits: { row: rules.limits.row, payee: rules.limits.payee },
        ...(options.currency === null ? {} : { defaultCurrency: options.currency }),
        ...(options.form === undefined ? {} : { form: options.form }),
        signal: cancellationSignal(),
      },
      sink,
    );
    await flush();
    await store.staging.publish(batchId, ingestId, summary);
    return summary;
  } catch (error) {
    await store.staging.discard(ingestId);
    throw error;
  }
}
