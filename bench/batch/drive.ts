import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadSettings, readApiSecret, requireApi } from '../../src/config.ts';
import { cpuSecondsOfTree } from '../support/cpu.ts';
import { cutIntoChunks, readRows } from './bare-chunks.ts';
import { type BareClient, createBareClient } from './bare-client.ts';
import { payloadText } from './bare-payload.ts';
import type { BareRun } from './bare-run.ts';

/** Sends create requests, as many side by side as it was started for. */
export type Engine = Readonly<{
  /** Creates a mass payout for each payload, and returns when all of them are COMPLETED. */
  payAll(payloads: Iterable<string>): Promise<void>;
  close(): Promise<void>;
}>;

/** `serverUrl`: the database server of the engine; empty for the bare loop. */
export type StartEngine = (
  client: BareClient,
  inFlight: number,
  serverUrl: string,
) => Promise<Engine>;

/** Chunks that are paid, under other keys, before the clock starts: the worker of Bursar is warm as well. */
const WARM_UP_CHUNKS = 20;

/**
 * Pays a file with an engine, and prints how long it took: `node PROGRAM FILE --batch-id ID [--server-url URL
 * --server-pid PID]`, with the settings of a worker. The chunks, bytes and requests in flight are those of Bursar. The
 * clock runs from rows in memory to the last COMPLETED.
 */
export async function drive(startEngine: StartEngine): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'batch-id': { type: 'string', default: 'bare' },
      'server-url': { type: 'string', default: '' },
      'server-pid': { type: 'string' },
    },
  });
  const [file = ''] = positionals;
  const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
  const access = requireApi(settings);
  const { chunkRows, chunksInFlight } = settings.batch;
  const chunks = cutIntoChunks(readRows(readFileSync(file, 'utf8')), chunkRows);
  function* payloads(batchId: string, all: typeof chunks): Generator<string> {
    for (const [chunk, rows] of all.entries()) {
      yield payloadText({ account: access.account, batchId, chunk }, rows);
    }
  }

  const client = createBareClient({ ...access, secret: readApiSecret(settings) });
  const engine = await startEngine(client, chunksInFlight, values['server-url']);
  const batchId = values['batch-id'];
  await engine.payAll(payloads(`${batchId}-warm-up`, chunks.slice(0, WARM_UP_CHUNKS)));
  const stop = startClock(values['server-pid']);
  await engine.payAll(payloads(batchId, chunks));
  const run = stop();
  await engine.close();
  await client.close();
  process.stdout.write(JSON.stringify(run));
}

function startClock(serverPid: string | undefined): () => BareRun {
  const serverSeconds = () =>
    serverPid === undefined ? undefined : cpuSecondsOfTree(Number(serverPid));
  const serverBefore = serverSeconds();
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  return () => {
    const elapsedMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(cpuBefore);
    const run: BareRun = { elapsedMs, cpuSeconds: (user + system) / 1_000_000 };
    const server = serverSeconds();
    if (server === undefined || serverBefore === undefined) return run;
    return { ...run, serverCpuSeconds: server - serverBefore };
  };
}

/** Runs `work` for each item, `lanes` of them side by side. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // All lanes take from one iterator, which outlives each of them.
  const iterator = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
