import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../../src/domain/plan/finding.ts';
import type { IngestSummary } from '../../../../src/domain/rows/staging.ts';
import { batchCodeOf } from '../../../../src/domain/sending/identity.ts';
import { NO_PAYEES, readPlanFindings, ingestFile } from '../../../../src/ingest/index.ts';
import type { Store } from '../../../../src/store/index.ts';
import { createdChunk } from '../../../support/history-fixtures.ts';
import { newBatch, planNamed } from '../../../support/store-fixtures.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { RULES } from '../../../domain/plan/support/house-rules.ts';
import { HISTORY_DAYS } from './history-findings.ts';
import { DAY_MS, NOW_MS } from './test-rows.ts';
import { writableDb } from '../../../../src/store/database/writable.ts';

/** The outcome of a row in a past batch. */
export type Fate = 'PAID' | 'UNKNOWN' | 'FAILED' | 'NOT_SENT' | 'WAITING' | 'NEVER_SENT' | 'OPEN';

/** A past batch of a file. Each row is a chunk, so that each has its own outcome. */
export type PastFile = Readonly<{
  account: string;
  batchId: string;
  content: string;
  daysAgo?: number;
  /** The outcomes of the first rows. The other rows were paid. */
  fates?: readonly Fate[];
}>;

/** A new file, planned today. */
export type NewFile = Readonly<{
  account: string;
  content: string | Uint8Array;
  ownAddresses?: readonly string[];
}>;

/** Writes past batches into a store, like commands and workers do. */
export const pastWorld = (store: Store) => ({
  async pastBatch({ account, batchId, content, daysAgo = 0, fates = [] }: PastFile): Promise<void> {
    const submittedAtMs = NOW_MS - daysAgo * DAY_MS;
    const code = batchCodeOf(account, batchId);
    await store.batches.register(newBatch(batchId, { account, submittedAtMs, code }));
    const { ingestId, summary } = await read(store, batchId, { content, chunkRows: 1 });
    await store.staging.publish(batchId, ingestId, summary);
    const batch = { batchId, account, parentBatchId: null, ...summary };
    await store.batches.planOnce(batch, () => planNamed(batchId));
    const heads = await store.staging.heads(ingestId);
    const keyOf = (chunk: number): string => `${batchId}/${chunk}`;
    await store.chunks.plan(
      batchId,
      heads.map((head) => ({
        ...head,
        idempotencyKey: keyOf(head.chunk),
        externalId: keyOf(head.chunk),
      })),
    );
    for (const { chunk } of heads)
      await setOutcome(store, { batchId, chunk }, fates[chunk] ?? 'PAID');
  },

  async findings({ account, content, ownAddresses = [] }: NewFile): Promise<Finding[]> {
    const batch = { batchId: 'new', account, parentBatchId: null };
    const { ingestId, summary } = await read(store, 'new', { content, chunkRows: 7 });
    const findingsWith = await readPlanFindings({
      summary,
      skipInvalid: false,
      ownAddresses,
      payees: NO_PAYEES,
      payAtMs: NOW_MS,
      prints: () => store.history.own(ingestId),
      rowsAt: (numbers) => store.staging.rowsAt(ingestId, numbers),
      rules: { ...RULES, historyDays: HISTORY_DAYS },
      stopLoss: [],
      others: await store.history.others(batch),
    });
    return findingsWith(await store.batches.sameContent({ ...batch, ...summary }));
  },
});

async function read(
  store: Store,
  batchId: string,
  { content, chunkRows }: Readonly<{ content: string | Uint8Array; chunkRows: number }>,
): Promise<{ ingestId: string; summary: IngestSummary }> {
  const path = join(temporaryFolder(), `${batchId}.csv`);
  writeFileSync(path, content);
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  const summary = await ingestFile({ name: batchId, path }, { chunkRows }, sink);
  await flush();
  return { ingestId, summary };
}

async function setOutcome(
  store: Store,
  at: Readonly<{ batchId: string; chunk: number }>,
  fate: Fate,
): Promise<void> {
  if (fate === 'WAITING') return;
  if (fate === 'NEVER_SENT') {
    await writableDb(store)
      .updateTable('chunk')
      .set({ state: 'NOT_SENT' })
      .where('batch_id', '=', at.batchId)
      .where('chunk', '=', at.chunk)
      .execute();
  } else if (fate === 'OPEN') {
    await createdChunk(store, at, { rest: 'FAILED', final: false });
  } else if (fate === 'NOT_SENT') {
    const row = (await store.chunks.get(at.batchId, at.chunk)).firstRow;
    await createdChunk(store, at, { rest: 'PAID', rows: { [row]: fate } });
  } else {
    await createdChunk(store, at, { rest: fate });
  }
}
