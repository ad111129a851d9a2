import type { BatchView } from '../../src/domain/report/report.ts';
import type { BenchContext } from './context.ts';
import type { Seen } from './instant-service/ledger.ts';
import { compiled, runModule } from './run-module.ts';
import type { BenchStack } from './stack.ts';
import { readWorkflowTimes, type WorkflowTimes } from './workflow-times.ts';

const BURSAR = compiled('../../programs/starter.js');

export type Paying = Readonly<{ file: string; batchId: string; rows: number }>;

/** How long a batch took. */
export type PaidBatch = Readonly<{
  /** When the command `bursar submit` began and ended, as Unix time in milliseconds. */
  startMs: number;
  endMs: number;
  workflow: WorkflowTimes;
  /** What the service saw of it. */
  seen: Seen;
}>;

/** Pays a file with `bursar submit`, as a person would. Throws unless every row was paid, and sent once. */
export async function payFile(
  { signal }: BenchContext,
  stack: BenchStack,
  { file, batchId, rows }: Paying,
): Promise<PaidBatch> {
  const { env, folder: cwd } = stack;
  const args = ['submit', file, '--id', batchId, '--yes', '-o', 'json'];
  const startMs = Date.now();
  const view = await runModule<BatchView>({ module: BURSAR, args, env, cwd, signal });
  const endMs = Date.now();

  const seen = (await stack.seen())[batchId];
  if (view.rows.paid !== rows || seen?.rows !== rows || seen.creates !== view.chunks.total) {
    const told = JSON.stringify({ rows: view.rows, chunks: view.chunks, seen });
    throw new Error(`${batchId}: not every row of ${rows} was paid once: ${told}`);
  }
  const workflow = await readWorkflowTimes(stack.temporalAddress, batchId);
  return { startMs, endMs, workflow, seen };
}
