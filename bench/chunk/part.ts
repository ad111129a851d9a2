import { join } from 'node:path';
import { CHUNK_ROWS, warmUp } from '../batch/measure.ts';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';
import { type PaidBatch, payFile, type StageName } from '../support/submit.ts';
import { type Counts, COUNTER, readCounts } from './counts.ts';

const ROWS_DEFAULT = 100_000;
/** How many times larger the second batch is. The difference between the two is the price of further chunks. */
const LARGER = 3;

const CPU_AIM: Aim = { kind: 'at most', value: 7 };
const STATEMENTS_AIM: Aim = { kind: 'at most', value: 6 };
const COMMITS_AIM: Aim = { kind: 'at most', value: 0.1 };

/** The price of each further chunk: processor time, SQL statements and commits, without the fixed costs of a batch. */
export const chunkPart: Part = async (context) => {
  const { rows = ROWS_DEFAULT } = context;
  const name = `chunk of ${CHUNK_ROWS} rows`;
  return [
    ...(await cpuFigures(context, name, rows)),
    ...(await statementFigures(context, name, rows)),
  ];
};

const STAGES: readonly (readonly [StageName, string, Aim?])[] = [
  ['workflow', 'all stages', CPU_AIM],
  ['ingest', 'ingest'],
  ['pay', 'create and settle'],
  ['report', 'report'],
];

async function cpuFigures(context: BenchContext, name: string, rows: number): Promise<Figure[]> {
  const rounds: Readonly<{ small: PaidBatch; large: PaidBatch }>[] = [];
  const options = { name: 'chunk-cpu', chunkRows: CHUNK_ROWS, createDelayMs: 0 };
  await withStack(context, options, async (stack) => {
    await warmUp(context, stack, rows);
    for (let run = 0; run < context.runs; run += 1) {
      const small = { batchId: `small-${run}`, rows, seed: 2 * run + 1 };
      const large = { batchId: `large-${run}`, rows: rows * LARGER, seed: 2 * run + 2 };
      rounds.push({
        small: await payOnce(context, stack, small),
        large: await payOnce(context, stack, large),
      });
    }
  });
  return STAGES.map(([stage, title, aim]) => ({
    ...medianFigure(
      `each further ${name}: CPU of worker and Temporal, ${title}`,
      'CPU ms',
      rounds.map(({ small, large }) =>
        perChunk(cpuMs(small, stage), cpuMs(large, stage), chunksBetween(small, large)),
      ),
    ),
    ...(aim === undefined ? {} : { aim }),
  }));
}

function cpuMs({ stages }: PaidBatch, stage: StageName): number {
  const { worker = 0, Temporal = 0 } = stages[stage].cpu;
  return (worker + Temporal) * 1_000;
}

const chunksBetween = (small: PaidBatch, large: PaidBatch): number =>
  large.seen.creates - small.seen.creates;

const perChunk = (small: number, large: number, chunks: number): number => (large - small) / chunks;

/** Each batch has a worker of its own, whose start falls out of the difference. A worker prints its counts at its end. */
async function statementFigures(
  context: BenchContext,
  name: string,
  rows: number,
): Promise<Figure[]> {
  const options = {
    name: 'chunk-statements',
    chunkRows: CHUNK_ROWS,
    createDelayMs: 0,
    workerNodeArgs: ['--import', COUNTER],
  };
  return withStack(context, options, async (stack) => {
    const countOf = async (batch: Batch) => {
      const paid = await payOnce(context, stack, batch);
      await stack.replace('worker', 'SIGTERM');
      return { paid, counts: await readCounts(stack.folder) };
    };
    const small = await countOf({ batchId: 'small', rows, seed: 1 });
    const large = await countOf({ batchId: 'large', rows: rows * LARGER, seed: 2 });
    const chunks = chunksBetween(small.paid, large.paid);
    const figure = (what: keyof Counts, aim: Aim): Figure => ({
      name: `each further ${name}: SQL ${what}`,
      unit: 'a chunk',
      value: perChunk(small.counts[what], large.counts[what], chunks),
      aim,
    });
    return [figure('statements', STATEMENTS_AIM), figure('commits', COMMITS_AIM)];
  });
}

/** Batches of one store have seeds of their own: rows that were paid before are a finding. */
type Batch = Readonly<{ batchId: string; rows: number; seed: number }>;

async function payOnce(
  context: BenchContext,
  stack: BenchStack,
  { batchId, rows, seed }: Batch,
): Promise<PaidBatch> {
  context.say(`chunk: paying ${rows.toLocaleString('en-US')} rows`);
  const file = join(stack.folder, `${batchId}.csv`);
  await writeSampleFile({ path: file, rows, seed, signal: context.signal });
  return payFile(context, stack, { file, batchId, rows });
}
