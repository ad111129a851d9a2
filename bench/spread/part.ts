import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { PARTITION_CHUNKS } from '../../src/domain/batch/partitions.ts';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { withStack } from '../support/stack.ts';
import { payFile } from '../support/submit.ts';
import { countByWorker, type WorkerCounts } from './count-by-worker.ts';

/** Chunks are shared, and not rows: with small chunks the batch has the partitions of a large one. */
const ROWS_DEFAULT = 500_000;
const CHUNK_ROWS = 50;
const WORKERS = 4;
/** Sending takes most of the time then, as at a real service. */
const CREATE_DELAY_MS = 300;
const CHUNKS_IN_FLIGHT = 64;

const AIM: Aim = { kind: 'at most', value: 40 };

/** How evenly four workers share one batch. */
export const spreadPart: Part = async (context) => {
  const counts: (readonly WorkerCounts[])[] = [];
  for (let run = 1; run <= context.runs; run += 1) {
    context.say(`spread: run ${run} of ${context.runs}`);
    counts.push(await payOnce(context, `spread-${run}`));
  }
  const share = (what: string, of: (one: WorkerCounts) => number): Figure => {
    const shares = counts.map((workers) => largestShare(workers.map(of)));
    const name = `largest share of one of ${WORKERS} workers in the ${what} of a batch`;
    return { ...medianFigure(name, '%', shares), aim: AIM };
  };
  return [
    share('activities', ({ activities }) => activities),
    share('chunks', ({ chunks }) => chunks),
  ];
};

/** In percent. */
const largestShare = (counts: readonly number[]): number =>
  (100 * Math.max(...counts)) / counts.reduce((sum, count) => sum + count, 0);

/** Pays one batch on a stack of its own. */
async function payOnce(context: BenchContext, name: string): Promise<readonly WorkerCounts[]> {
  const { rows = ROWS_DEFAULT, signal } = context;
  const env = { BURSAR_BATCH_CHUNKS_IN_FLIGHT: String(CHUNKS_IN_FLIGHT) };
  const options = { name, chunkRows: CHUNK_ROWS, createDelayMs: CREATE_DELAY_MS, env };
  return withStack(context, { ...options, workers: WORKERS }, async (stack) => {
    const file = join(stack.folder, 'rows.csv');
    await writeSampleFile({ path: file, rows, seed: 1, signal });
    await payFile(context, stack, { file, batchId: name, rows });
    const connection = await Connection.connect({ address: stack.temporalAddress });
    try {
      const partitions = Math.ceil(rows / CHUNK_ROWS / PARTITION_CHUNKS);
      const counts = await countByWorker(new Client({ connection }).workflow, name, partitions);
      for (const { activities, chunks } of counts) {
        context.say(`spread: a worker did ${activities} activities, and sent ${chunks} chunks`);
      }
      return counts;
    } finally {
      await connection.close();
    }
  });
}
