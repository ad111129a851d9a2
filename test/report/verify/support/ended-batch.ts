import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf } from '../../../../src/domain/plan/digest.ts';
import { externalIdOf, idempotencyKeyOf } from '../../../../src/domain/sending/identity.ts';
import { PAID } from '../../../../src/domain/settling/outcome.ts';
import type { Verification } from '../../../../src/domain/audit/verification.ts';
import { archiveReport } from '../../../../src/report/archive.ts';
import { verifyBatch } from '../../../../src/report/verify/verify-batch.ts';
import { writeBatchReport } from '../../../../src/report/write-batch-report.ts';
import { createFiles, type Files } from '../../../../src/files/index.ts';
import { plannedFacts } from '../../../../src/store/batches/plan-facts.ts';
import type { StoredRowOutcome } from '../../../../src/store/settlement/settlements.ts';
import { openStore, type Store } from '../../../../src/store/index.ts';
import { approvalBy, NOW_MS } from '../../../support/approvers.ts';
import { keepCopy } from '../../../support/kept-copy.ts';
import { NO_RULES } from '../../../support/planned-batch.ts';
import { migrated } from '../../../support/test-database.ts';
import { contentOf, newBatch, stagedChunk, summaryOf } from '../../../support/store-fixtures.ts';

export const BATCH = 'payroll';

/** The places of an ended batch: its store, the copy of its file, its report. `blobs`: other files than those of a folder. */
export type Place = Readonly<{ folder: string; reportDir: string; blobs?: Files }>;

export const placeIn = (folder: string): Place => ({
  folder,
  reportDir: join(folder, 'runs', BATCH),
});

export const openAt = async ({ folder }: Place): Promise<Store> =>
  openStore(await migrated(`sqlite:${join(folder, 'store.db')}`), () => NOW_MS);

const blobsOf = ({ folder, blobs }: Place): Files =>
  blobs ?? createFiles(`file:${join(folder, 'blobs')}`);

/** Verifies the batch like `bursar verify`. */
export async function verifyAt(place: Place, head?: Verification['head']): Promise<Verification> {
  const store = await openAt(place);
  try {
    const blobs = blobsOf(place);
    const kept = head === undefined ? null : { source: '--head', ...head };
    return await verifyBatch({ store, blobs }, { ...asked(place), head: kept });
  } finally {
    await store.close();
  }
}

const asked = ({ reportDir }: Place) => ({ batchId: BATCH, reportDir });

const FILE = 'address,amount\nwhatever,1\n';

const OPTIONS = {
  currency: null,
  at: null,
  executionDate: null,
  fundsWaitMs: null,
  beforeScheduled: false,
  skipInvalid: true,
  expectCount: null,
  expectTotals: [],
  rowTag: 'off',
  canaryRows: 0,
  stopLoss: [],
  accept: [],
};

/** A finding names people and addresses. */
const FINDINGS = [
  {
    code: 'FIRST_TIME_PAYEE',
    count: 1,
    examples: [{ row: 2, detail: '1.00 TRX to Payee 2, address-2' }],
  },
] as const;

/**
 * Pays a batch of three chunks through the store alone, with every kind of record: an approval, a
 * hold, an ambiguous attempt that a lookup cleared, a refused create, a failed row, a refused row,
 * a change after the report and two versions of the report.
 */
export async function endBatch(place: Place): Promise<void> {
  const store = await openAt(place);
  await begin(store, place);
  await send(store, [0, 1, 2]);
  await settle(store);
  await report(store, place, 1);
  await change(store);
  await archiveReport(place.reportDir, 1);
  await report(store, place, 2);
  await store.close();
}

/** The same batch after its last change: each row has a certain outcome, and a third report. */
export async function settleBatch(place: Place): Promise<void> {
  await endBatch(place);
  await reportLastChange(place);
}

/** The last change of an ended batch, and its third report. */
export async function reportLastChange(place: Place): Promise<void> {
  const store = await openAt(place);
  await change(store, 'PAID');
  await archiveReport(place.reportDir, 2);
  await report(store, place, 3);
  await store.close();
}

/** The same batch after the send of its first chunk. */
export async function beginBatch(place: Place): Promise<void> {
  const store = await openAt(place);
  await begin(store, place);
  await send(store, [0]);
  await store.close();
}

async function begin(store: Store, place: Place): Promise<void> {
  await plan(store, place);
  await store.batches.setFees(BATCH, { quotes: [] });
  await store.approvals.add(approvalBy('bob', { batchId: BATCH }), NOW_MS);
  await store.batches.release(BATCH, NOW_MS);
  const hold = { kind: 'PAUSE', reason: 'lunch', by: 'zoe', facts: {} } as const;
  const { n } = await store.holds.put(BATCH, hold, NOW_MS);
  await store.holds.lift({ batchId: BATCH, n, by: 'zoe', reason: 'back', atMs: NOW_MS });
}

/** Plans a batch that alice submits. */
export async function plan(store: Store, place: Place, rules = NO_RULES): Promise<void> {
  const file = join(place.folder, 'payroll.csv');
  writeFileSync(file, FILE);
  const fileSha256 = await keepCopy(blobsOf(place), file);
  const optionsJson = JSON.stringify(OPTIONS);
  await store.batches.register(newBatch(BATCH, { fileSha256, optionsJson, submittedBy: 'alice' }));
  const chunks = [0, 1, 2].map((chunk) => stagedChunk(chunk, 2));
  const { ingestId, sink, flush } = store.staging.begin(BATCH);
  for (const chunk of chunks) await sink.putChunk(chunk);
  const refused = { row: 9, column: 'amount', code: 'AMOUNT_NOT_DECIMAL', facts: { text: 'x' } };
  await sink.putRefused([{ ...refused, value: 'x', amount: '5', currency: 'TRX' } as never]);
  await flush();
  const summary = summaryOf(chunks, { fileSha256, rows: 7, refusedRows: 1 });
  await store.staging.publish(BATCH, ingestId, summary);
  const batch = await store.batches.find(BATCH);
  const facts = plannedFacts({ ...batch!, rules, findings: FINDINGS }, chunks);
  const planned = { digest: digestOf(facts!), findings: FINDINGS, rules, partitionChunks: null };
  await store.batches.planOnce(contentOf(BATCH), () => planned);
  const rows = chunks.map((chunk) => ({
    ...chunk,
    idempotencyKey: idempotencyKeyOf({ ...newBatch(BATCH), chunk: chunk.chunk }),
    externalId: externalIdOf({ ...newBatch(BATCH), chunk: chunk.chunk }),
  }));
  await store.chunks.plan(BATCH, rows);
}

export async function refOf(store: Store, chunk: number) {
  const { idempotencyKey } = await store.chunks.get(BATCH, chunk);
  return { batchId: BATCH, chunk, idempotencyKey };
}

const payoutOf = (chunk: number) => ({
  id: `mp-${chunk}`,
  state: 'CONFIRMED',
  fee: '0.1',
  differences: [],
});

/** Chunk 0 is created at once, chunk 1 is found after a time-out, chunk 2 is refused. */
async function send(store: Store, chunks: readonly number[]): Promise<void> {
  for (const chunk of chunks) {
    const ref = await refOf(store, chunk);
    const payload = JSON.stringify({ chunk });
    const intent = { payload, payloadSha256: createHash('sha256').update(payload).digest('hex') };
    const attempt = { n: 1, timestampMs: NOW_MS, bodySha256: 'b', intent };
    await store.sends.beginAttempt(ref, attempt);
    const end = { n: 1, endedMs: NOW_MS };
    if (chunk === 0) {
      await store.sends.endAttempt(
        ref,
        { ...end, outcome: 'ACCEPTED', httpStatus: 200 },
        payoutOf(0),
      );
    } else if (chunk === 1) {
      await store.sends.endAttempt(ref, { ...end, outcome: 'AMBIGUOUS' });
      const look = { atMs: NOW_MS, attempts: 1 };
      await store.sends.recordLookup(ref, { ...look, result: 'missed' });
      await store.sends.recordLookup(ref, { ...look, result: 'found' }, payoutOf(1));
    } else {
      await store.sends.endAttempt(ref, { ...end, outcome: 'REJECTED', httpStatus: 400 });
      await store.sends.setRejected(ref, {
        attempts: 1,
        from: 'SENDING',
        reason: 'no such wallet',
      });
    }
  }
}

const outcome = {
  massPayoutState: 'COMPLETED',
  final: true,
  defaultOutcome: PAID,
  rows: [],
  fee: '0.1',
  unclearSinceMs: null,
  keepsLookups: false,
  payoutFingerprint: null,
  reopened: 0,
} as const;

const failedRow = (row: number): StoredRowOutcome => ({
  row,
  chunk: 1,
  outcome: 'FAILED',
  reason: 'blocked',
  amount: '1',
  withdrawalId: 'w-1',
});

async function settle(store: Store): Promise<void> {
  await store.settlements.save({ batchId: BATCH, chunk: 0 }, outcome);
  const partial = {
    ...outcome,
    massPayoutState: 'PARTIAL',
    payoutFingerprint: 's',
    rows: [failedRow(4)],
  };
  await store.settlements.save({ batchId: BATCH, chunk: 1 }, partial);
}

async function report(store: Store, place: Place, version: number): Promise<void> {
  const end = { endState: 'PARTIAL', endedAtMs: NOW_MS } as const;
  const batch = await store.batches.find(BATCH);
  const noted = await store.rechecks.pending(BATCH);
  await writeBatchReport(
    store,
    { ...batch!, ...end },
    {
      places: { reportDir: dirname(place.reportDir), blobs: blobsOf(place) },
      workflowId: `batch/${BATCH}`,
      atMs: NOW_MS,
      ...(version === 1 ? {} : { version: { version, changes: noted } }),
    },
  );
  if (version === 1) {
    await store.batches.end(BATCH, { state: 'PARTIAL', atMs: NOW_MS, error: null });
  } else {
    const upToSeq = noted.at(-1)?.seq ?? 0;
    const published = {
      was: version - 1,
      version,
      state: 'PARTIAL',
      atMs: NOW_MS,
      upToSeq,
    } as const;
    await store.rechecks.publish(BATCH, published);
  }
}

/** One row of chunk 1 is reported as paid. The service then returns it as failed, and later as paid. */
async function change(store: Store, after: 'UNKNOWN' | 'PAID' = 'UNKNOWN'): Promise<void> {
  const before = after === 'PAID' ? 'UNKNOWN' : 'PAID';
  const isBack = after === 'PAID';
  const about = { address: 'a', amount: '1', currency: 'TRX' };
  const unknown = { ...failedRow(5), outcome: 'UNKNOWN' } as const;
  await store.rechecks.amend(
    { batchId: BATCH, chunk: 1 },
    {
      was: { currency: 'TRX', final: true, reopened: isBack ? 1 : 0 },
      outcomes: {
        ...outcome,
        massPayoutState: 'PARTIAL',
        rows: isBack ? [failedRow(4)] : [failedRow(4), unknown],
      },
      fee: '0.1',
      payoutFingerprint: 't',
      atMs: NOW_MS,
      changes: [{ row: 5, before, after, reason: 'blocked', ...about } as never],
    },
  );
}
