import type { BatchInput } from '../../../src/contract/batch.ts';
import type { EndState } from '../../../src/domain/batch/batch-state.ts';
import type { ErrorNote } from '../../../src/domain/errors/bursar-error.ts';
import type { Outcome } from '../../../src/domain/settling/outcome.ts';
import {
  batchCodeOf,
  externalIdOf,
  idempotencyKeyOf,
} from '../../../src/domain/sending/identity.ts';
import { ingestFile } from '../../../src/ingest/index.ts';
import type { StoredRowOutcome } from '../../../src/store/settlement/settlements.ts';
import type { Store } from '../../../src/store/index.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';

/** Writes a batch down, as a worker does before it reads the file. */
export async function playRegister(store: Store, input: BatchInput): Promise<void> {
  const { batchId, options, generation } = input;
  await store.batches.register({
    batchId,
    account: ACCOUNT,
    accountRef: input.accountRef,
    generation,
    code: batchCodeOf(ACCOUNT, batchId),
    fileName: input.file.name,
    fileSha256: input.file.sha256,
    submittedBy: input.submittedBy,
    submittedAtMs: Date.parse(input.submittedAt),
    optionsJson: JSON.stringify(options),
    parentBatchId: null,
  });
}

/** Does what a worker does up to the plan, with the file at `path`. */
export async function playPlan(store: Store, input: BatchInput, path: string): Promise<void> {
  const { batchId, options, generation } = input;
  await playRegister(store, input);
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  const { chunkRows, form } = options;
  const reading = { chunkRows, ...(form === undefined ? {} : { form }) };
  const summary = await ingestFile({ name: 'f', path }, reading, sink);
  await flush();
  await store.staging.publish(batchId, ingestId, summary);
  const { contentSha256, rowSet, findings } = summary;
  await store.batches.planOnce(
    { batchId, account: ACCOUNT, parentBatchId: null, contentSha256, rowSet },
    () => ({ digest: 'sha256:worker', findings, rules: null, partitionChunks: null }),
  );
  const heads = await store.staging.heads(ingestId);
  const chunks = heads.map((head) => ({
    ...head,
    idempotencyKey: keyOf(batchId, head.chunk),
    externalId: externalIdOf({ batchId, chunk: head.chunk, generation }),
  }));
  await store.chunks.plan(batchId, chunks);
}

export const keyOf = (batchId: string, chunk: number): string =>
  idempotencyKeyOf({ account: ACCOUNT, batchId, chunk, generation: 0 });

type Settle = Readonly<{
  chunk?: number;
  /** Of all rows but `rows`. */
  outcome: Outcome;
  massPayoutId?: string;
  rows?: readonly StoredRowOutcome[];
}>;

/** Sends a chunk, and settles it with one outcome for its rows. */
export async function playSettle(
  store: Store,
  batchId: string,
  { chunk = 0, outcome, massPayoutId = 'mp-1', rows = [] }: Settle,
): Promise<void> {
  const ref = { batchId, chunk, idempotencyKey: keyOf(batchId, chunk) };
  const state = outcome === 'PAID' ? 'COMPLETED' : 'FAILED';
  const intent = { payload: '{}', payloadSha256: 'p' };
  const atMs = Date.parse('2026-11-21T09:01:00Z');
  await store.sends.recordLookup(ref, { atMs, attempts: 0, result: 'missed' });
  await store.batches.release(batchId, atMs);
  await store.sends.beginAttempt(ref, { n: 1, timestampMs: atMs, bodySha256: 'b', intent });
  const payout = { id: massPayoutId, state: 'CREATION_IN_PROGRESS', fee: '0.5', differences: [] };
  await store.sends.endAttempt(
    ref,
    { n: 1, endedMs: atMs + 100, outcome: 'ACCEPTED', httpStatus: 200, traceId: 'trace-1' },
    payout,
  );
  await store.settlements.save(
    { batchId, chunk },
    {
      massPayoutState: state,
      final: true,
      defaultOutcome: { outcome, reason: outcome === 'PAID' ? '' : 'the service said so' },
      rows,
      fee: '0.5',
      unclearSinceMs: null,
      keepsLookups: false,
      payoutFingerprint: null,
      reopened: 0,
    },
  );
}

/** An attempt nobody knows the end of, and a chunk that waits for a person. */
export async function playDoubt(store: Store, batchId: string): Promise<void> {
  const ref = { batchId, chunk: 0, idempotencyKey: keyOf(batchId, 0) };
  const atMs = Date.parse('2026-11-21T09:01:00Z');
  const intent = { payload: '{}', payloadSha256: 'p' };
  await store.batches.release(batchId, atMs);
  await store.sends.beginAttempt(ref, { n: 1, timestampMs: atMs, bodySha256: 'b', intent });
  await store.sends.endAttempt(ref, {
    n: 1,
    endedMs: atMs + 100,
    outcome: 'AMBIGUOUS',
    httpStatus: 502,
    traceId: 'trace-9',
  });
  await store.sends.setNeedsOperator(
    ref,
    { attempts: 1, from: 'SENDING', reason: 'LOOKUP_UNPROVEN' },
    atMs + 1_000,
  );
}

export const playEnd = (
  store: Store,
  batchId: string,
  end: Readonly<{ state: EndState; error?: ErrorNote }>,
): Promise<void> =>
  store.batches.end(batchId, {
    state: end.state,
    atMs: Date.parse('2026-11-21T09:02:00Z'),
    error: end.error ?? null,
  });
