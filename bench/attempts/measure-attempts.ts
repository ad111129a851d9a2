/**
 * Begins and ends an attempt of the chunks of a file in the real store, and prints how long that took:
 * `node measure-attempts.js FILE STORE_URL CHUNK_ROWS IN_FLIGHT BATCH [--write] [--share TURN/PROCESSES]`. With `--write` it stores the
 * batch and ends. With `--share` it sends its share of the chunks of a stored batch. Without both it does everything. Nothing is sent,
 * and all payloads are made before the clock starts.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ingestFile } from '../../src/ingest/index.ts';
import { externalIdOf, idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import type { NewAttempt } from '../../src/store/sending/sends.ts';
import { writableDb } from '../../src/store/database/writable.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { cutIntoChunks, readRows } from '../batch/bare-chunks.ts';
import { payloadText } from '../batch/bare-payload.ts';
import { inLanes } from '../batch/drive.ts';
import { ACCOUNT, newBenchBatch } from '../findings/bench-batch.ts';
import type { MeasuredAttempts } from './measured-attempts.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, share: { type: 'string' } },
});
const [path = '', url = '', chunkRows = '', inFlight = '', batchId = ''] = positionals;
const [turn = 0, processes = 1] = (values.share ?? '0/1').split('/').map(Number);
const identity = { account: ACCOUNT, batchId, generation: 0 };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes a batch down as it stands when it was released. */
async function writeBatch(store: Store): Promise<void> {
  await store.batches.register(newBenchBatch(batchId));
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  const summary = await ingestFile({ name: 'bench.csv', path }, { chunkRows: +chunkRows }, sink);
  await flush();
  await store.staging.publish(batchId, ingestId, summary);
  const heads = await store.staging.heads(ingestId);
  await store.chunks.plan(
    batchId,
    heads.map((head) => ({
      ...head,
      idempotencyKey: idempotencyKeyOf({ ...identity, chunk: head.chunk }),
      externalId: externalIdOf({ ...identity, chunk: head.chunk }),
    })),
  );
  await writableDb(store)
    .updateTable('batch')
    .set({ digest: 'sha256:bench', released_at_ms: Date.now() })
    .where('batch_id', '=', batchId)
    .execute();
}

type Prepared = Readonly<{ chunk: number; attempt: NewAttempt }>;

function prepare(): Prepared[] {
  const chunks = cutIntoChunks(readRows(readFileSync(path, 'utf8')), Number(chunkRows));
  const numbered = chunks.map((rows, chunk) => ({ rows, chunk }));
  const own = numbered.filter(({ chunk }) => chunk % processes === turn);
  return own.map(({ rows, chunk }) => {
    const payload = payloadText({ account: ACCOUNT, batchId, chunk }, rows);
    const payloadSha256 = sha256(payload);
    const intent = { payload, payloadSha256 };
    return {
      chunk,
      attempt: { n: 1, timestampMs: Date.now(), bodySha256: payloadSha256, intent },
    };
  });
}

async function beginAndEnd(store: Store, { chunk, attempt }: Prepared): Promise<void> {
  const ref = { batchId, chunk, idempotencyKey: idempotencyKeyOf({ ...identity, chunk }) };
  const start = await store.sends.beginAttempt(ref, attempt);
  if (start !== 'begun') throw new Error(`chunk ${chunk}: the attempt was not begun: ${start}`);
  const payout = {
    id: `mp-${batchId}-${chunk}`,
    state: 'CREATION_IN_PROGRESS',
    fee: null,
    differences: [],
  };
  const end = { n: 1, endedMs: Date.now(), outcome: 'ACCEPTED', httpStatus: 200 } as const;
  await store.sends.endAttempt(ref, end, payout);
}

async function measure(store: Store): Promise<MeasuredAttempts> {
  const prepared = prepare();
  const cpuBefore = process.cpuUsage();
  const [startedAtMs, startMs] = [Date.now(), performance.now()];
  await inLanes(prepared, Number(inFlight), (each) => beginAndEnd(store, each));
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuSeconds = (user + system) / 1_000_000;
  return { attempts: prepared.length, startedAtMs, elapsedMs, cpuSeconds };
}

const store = await openStore(url);
try {
  if (values.share === undefined) await writeBatch(store);
  if (!values.write) process.stdout.write(JSON.stringify(await measure(store)));
  else process.stdout.write('null');
} finally {
  await store.close();
}
