import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext } from '../support/context.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import type { BenchStack } from '../support/stack.ts';
import { type PaidBatch, payFile } from '../support/submit.ts';
import type { BareRun } from './bare-run.ts';
import { workOf } from './work.ts';

export const CHUNK_ROWS = 500;
/** Chunks of the batch that a worker pays before the clock starts. */
const WARM_UP_CHUNKS = 20;

const BARE_LOOP = compiled('../batch/bare-loop.js');

export type Measured = Readonly<{ bare: BareRun[]; paid: PaidBatch[] }>;

/** Takes turns, so that other work of the machine slows both down. Each round has a file of its own. */
export async function measureBatch(
  context: BenchContext,
  stack: BenchStack,
  { title, rows, runs }: Readonly<{ title: string; rows: number; runs: number }>,
): Promise<Measured> {
  const measured: Measured = { bare: [], paid: [] };
  const file = join(stack.folder, 'batch.csv');
  await warmUp(context, stack, rows);
  for (let run = 0; run < runs; run += 1) {
    context.say(`${title}: round ${run + 1} of ${runs}`);
    await writeSampleFile({ path: file, rows, seed: run + 1, signal: context.signal });
    // Ids of one length make requests of one length.
    const batchIds = { bare: `bare-${run}`, safe: `safe-${run}` };
    measured.bare.push(await runLoop(context, stack, { file, batchId: batchIds.bare }));
    const paid = await payFile(context, stack, { file, batchId: batchIds.safe, rows });
    await compareRequests(stack, batchIds.bare, paid);
    measured.paid.push(paid);
    await rm(file);
  }
  return measured;
}

/** Pays a small file with a new worker. */
export async function warmUp(
  context: BenchContext,
  stack: BenchStack,
  rowsMax: number,
): Promise<void> {
  const rows = Math.min(rowsMax, WARM_UP_CHUNKS * CHUNK_ROWS);
  const file = join(stack.folder, 'warm-up.csv');
  await writeSampleFile({ path: file, rows, seed: 0, signal: context.signal });
  await payFile(context, stack, { file, batchId: 'warm-up', rows });
}

export type LoopRun = Readonly<{
  file: string;
  batchId: string;
  /** The program that pays; the bare loop when it is missing. */
  module?: string;
  args?: readonly string[];
}>;

/** Pays a file with the bare loop, or with a peer, beside a stack that rests. */
export function runLoop(
  { signal }: BenchContext,
  { env, folder: cwd }: Readonly<{ env: BenchStack['env']; folder: string }>,
  { file, batchId, module = BARE_LOOP, args: more = [] }: LoopRun,
): Promise<BareRun> {
  const args = [file, '--batch-id', batchId, ...more];
  return runModule<BareRun>({ module, args, env, cwd, signal });
}

/** The two can only be compared when they sent the same. */
async function compareRequests(stack: BenchStack, bareId: string, { seen }: PaidBatch) {
  const [bare, safe] = [(await stack.seen())[bareId], seen].map(workOf);
  if (bare !== safe) throw new Error(`the bare loop sent ${bare}, the batch ${safe}`);
}
