/**
 * Reads a file into a store, and then holds its rows against the batches that are there, as a worker does:
 * `node measure-findings.js FILE STORE_URL CHUNK_ROWS BATCH_ID`.
 */
import { parseArgs } from 'node:util';
import { NO_PAYEES, readPlanFindings, ingestFile } from '../../src/ingest/index.ts';
import { openStore } from '../../src/store/index.ts';
import { ACCOUNT, newBenchBatch } from './bench-batch.ts';
import type { Measured } from './measured.ts';

const [path = '', url = '', chunkRows = '', batchId = ''] = parseArgs({
  allowPositionals: true,
}).positionals;
const RULES = {
  findings: { confirm: [], block: [] },
  approval: null,
  historyDays: 25,
  limits: { row: [], payee: [], batch: [], day: [] },
  fees: { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] },
};

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000_000;

const store = await openStore(url);
try {
  await store.batches.register(newBenchBatch(batchId));
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  const summary = await ingestFile(
    { name: 'bench.csv', path },
    { chunkRows: Number(chunkRows) },
    sink,
  );
  await flush();
  await store.staging.publish(batchId, ingestId, summary);
  const readMs = performance.now();
  const readCpu = process.cpuUsage();

  const others = await store.history.others({ account: ACCOUNT, batchId, parentBatchId: null });
  const findingsWith = await readPlanFindings({
    summary,
    skipInvalid: false,
    prints: () => store.history.own(ingestId),
    rowsAt: (numbers) => store.staging.rowsAt(ingestId, numbers),
    rules: RULES,
    stopLoss: [],
    others,
    ownAddresses: [ACCOUNT],
    payees: NO_PAYEES,
    payAtMs: Date.now(),
  });
  const findings = findingsWith(undefined);
  const judgedMs = performance.now();
  const judgedCpu = process.cpuUsage();

  // It must not be history for the next run.
  await store.batches.end(batchId, { state: 'CANCELED', atMs: Date.now(), error: null });
  const measured: Measured = {
    rows: summary.rows,
    pastRows: others.reduce((sum, { rows }) => sum + rows, 0),
    ingestMs: readMs - startMs,
    findingsMs: judgedMs - readMs,
    ingestCpuSeconds: secondsOf(readCpu) - secondsOf(startCpu),
    findingsCpuSeconds: secondsOf(judgedCpu) - secondsOf(readCpu),
    findings: Object.fromEntries(findings.map(({ code, count }) => [code, count])),
  };
  process.stdout.write(JSON.stringify(measured));
} finally {
  await store.close();
}
