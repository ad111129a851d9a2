import type { SendDeps, Sending } from './types.ts';
import { OWN_PLACE } from './create-places.ts';
import type { SendChunkInput, SendChunksInput } from '../../contract/sending.ts';
import { readBatchOptions } from '../../contract/batch.ts';
import { canceledReason } from '../../domain/batch/stop-reason.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { StagedRows } from '../../store/rows/staging.ts';
import { blockReason } from '../../store/recheck/resend-blocks.ts';

/** The facts of one chunk that is to be sent. Throws DIGEST_MISMATCH. */
export async function openSending(
  deps: SendDeps,
  { batchId, chunk, ...input }: SendChunkInput,
): Promise<Sending> {
  const { proveLookup, wasCreated } = input;
  const shared = await openBatch(deps, { batchId, ...input });
  const record = await deps.store.chunks.get(batchId, chunk);
  return sendingOf(deps, { ...shared, proveLookup, wasCreated }, record);
}

/** The facts of chunks of one batch, in the order of their numbers. They are as old as the oldest read. Throws DIGEST_MISMATCH. */
export async function openSendings(
  deps: SendDeps,
  input: SendChunksInput,
  chunks: readonly number[],
): Promise<Sending[]> {
  const shared = await openBatch(deps, input);
  const records = await deps.store.chunks.getMany(input.batchId, chunks);
  const created = new Set(input.created);
  return records.map((record) =>
    sendingOf(
      deps,
      { ...shared, proveLookup: false, wasCreated: created.has(record.chunk) },
      record,
    ),
  );
}

type SharedFacts = Pick<Sending, 'begunAtMs' | 'batch' | 'options' | 'trust' | 'stopped'>;

async function openBatch(
  { store, service, nowMs }: SendDeps,
  {
    batchId,
    digest,
    stopped,
  }: Readonly<{ batchId: string; digest: string; stopped: string | null }>,
): Promise<SharedFacts> {
  const begunAtMs = nowMs();
  const batch = await store.batches.facts(batchId);
  if (batch.digest !== digest) {
    throw new BursarError('DIGEST_MISMATCH', { expected: digest, found: batch.digest });
  }
  const trust = await store.lookupVerification.trust(batch.account, service.lookupName);
  return { begunAtMs, batch, options: readBatchOptions(batch.optionsJson), trust, stopped };
}

type ChunkFacts = SharedFacts & Pick<Sending, 'proveLookup' | 'wasCreated'>;

function sendingOf({ store }: SendDeps, facts: ChunkFacts, chunk: ChunkRecord): Sending {
  const { batchId, ingestId } = facts.batch;
  let rows: Promise<StagedRows> | undefined;
  return {
    ...facts,
    chunk,
    ref: { batchId, chunk: chunk.chunk, idempotencyKey: chunk.idempotencyKey },
    stopped: facts.stopped ?? stopReasonOf(facts.batch, chunk),
    place: OWN_PLACE,
    readRows: () => (rows ??= store.staging.stagedRows(ingestId, chunk.chunk)),
  };
}

/** The reason in the store that stops the chunk, though the workflow that drives its batch may not have received it. */
function stopReasonOf({ canceled }: BatchFacts, { resendBlock }: ChunkRecord): string | null {
  if (canceled !== null) return canceledReason(canceled);
  return resendBlock === null ? null : blockReason(resendBlock);
}
