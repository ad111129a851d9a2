/**
 * Runs a file from its import to its report, without calls of the service, and prints the counts of
 * the report: `node pay-large-file.js FILE FOLDER [keep]`. A batch with the same rows is planned
 * first, so that the history is as large. `keep` keeps all rows in memory, as the engine must not.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import type { ChunkRow } from '../../../src/domain/rows/row.ts';
import { batchWorkflowId } from '../../../src/contract/names.ts';
import { createFiles } from '../../../src/files/index.ts';
import { NO_PAYEES, readPlanFindings, ingestFile } from '../../../src/ingest/index.ts';
import { writeBatchReport } from '../../../src/report/write-batch-report.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { createdChunk } from '../../support/history-fixtures.ts';
import { ACCOUNT, newBatch } from '../../support/store-fixtures.ts';

const [path = '', folder = '', keep] = parseArgs({ allowPositionals: true }).positionals;
const CHUNK_ROWS = 1_000;
const RULES: HouseRules = {
  approval: null,
  findings: { confirm: [], block: [] },
  historyDays: 25,
  limits: { row: [], batch: [], day: [], payee: [] },
  fees: { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] },
};

/** Imports the file, and plans it with the history in the store. */
async function plan(store: Store, batchId: string): Promise<string> {
  await store.batches.register(newBatch(batchId, { optionsJson: '{"accept":[]}' }));
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  const summary = await ingestFile({ name: 'large.csv', path }, { chunkRows: CHUNK_ROWS }, sink);
  await flush();
  await store.staging.publish(batchId, ingestId, summary);
  const batch = { batchId, account: ACCOUNT, parentBatchId: null, ...summary };
  const findingsWith = await readPlanFindings({
    summary,
    skipInvalid: false,
    rules: RULES,
    stopLoss: [],
    ownAddresses: [ACCOUNT],
    payees: NO_PAYEES,
    prints: () => store.history.own(ingestId),
    rowsAt: (numbers) => store.staging.rowsAt(ingestId, numbers),
    others: await store.history.others(batch),
    payAtMs: newBatch(batchId).submittedAtMs,
  });
  await store.batches.planOnce(batch, (earlier) => ({
    digest: batchId,
    findings: findingsWith(earlier),
    rules: RULES,
    partitionChunks: null,
  }));
  const heads = (await store.staging.heads(ingestId)).map((head) => ({
    ...head,
    idempotencyKey: `${batchId}/${head.chunk}`,
    externalId: `${batchId}/${head.chunk}`,
  }));
  await store.chunks.plan(batchId, heads);
  return ingestId;
}

/** Pays all chunks except the first, which fails, and writes the report. */
async function pay(store: Store, batchId: string): Promise<unknown> {
  for (const { chunk } of await store.chunks.list(batchId)) {
    await createdChunk(store, { batchId, chunk }, { rest: chunk === 0 ? 'FAILED' : 'PAID' });
  }
  await store.batches.end(batchId, { state: 'PARTIAL', atMs: 1, error: null });
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new Error('the batch is gone');
  const ended = { ...batch, endState: 'PARTIAL', endedAtMs: 1 } as const;
  const places = { reportDir: folder, blobs: createFiles(`file:${join(folder, 'blobs')}`) };
  const target = { places, workflowId: batchWorkflowId(batchId), atMs: 1 };
  const { report } = await writeBatchReport(store, ended, target);
  const { rows, findings } = report;
  return { rows, findings: findings.map(({ code, count }) => `${code} ${count}`) };
}

const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
const kept: ChunkRow[] = [];
try {
  const ingestId = await plan(store, 'past');
  if (keep === 'keep') {
    for (const { chunk } of await store.staging.heads(ingestId)) {
      for (const row of await store.staging.rows(ingestId, chunk)) kept.push(row);
    }
  }
  await plan(store, 'large');
  const report = await pay(store, 'large');
  process.stdout.write(JSON.stringify({ report, kept: kept.length }));
} finally {
  await store.close();
}
