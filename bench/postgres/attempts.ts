import { join } from 'node:path';
import { ATTEMPTS } from '../attempts/part.ts';
import type { MeasuredAttempts } from '../attempts/measured-attempts.ts';
import { CHUNK_ROWS } from '../batch/measure.ts';
import type { BenchContext } from '../support/context.ts';
import { type Aim, type Figure, medianCpu, medianFigure } from '../support/figure.ts';
import { runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { CHUNKS_IN_FLIGHT } from '../support/settings.ts';
import type { Databases } from './databases.ts';

/** The processes hold the whole file in memory. */
const ROWS_MAX = 500_000;

type Layout = Readonly<{ name: string; processes: number; batches: number; aim: Aim }>;

const LAYOUTS: readonly Layout[] = [
  { name: '1 process', processes: 1, batches: 1, aim: { kind: 'at least', value: 300 } },
  {
    name: '4 processes on one batch',
    processes: 4,
    batches: 1,
    aim: { kind: 'at least', value: 300 },
  },
  {
    name: '4 processes on four batches',
    processes: 4,
    batches: 4,
    aim: { kind: 'at least', value: 450 },
  },
];

/** How many attempts stores on one server begin and end in a second, each durable before its create may leave. */
export async function attemptFigures(
  context: BenchContext,
  databases: Databases,
): Promise<Figure[]> {
  const { folder, runs, signal, say } = context;
  const rows = Math.min(context.rows ?? ROWS_MAX, ROWS_MAX);
  const file = join(folder, 'attempts.csv');
  await writeSampleFile({ path: file, rows, seed: 1, signal });
  const figures: Figure[] = [];
  for (const [at, layout] of LAYOUTS.entries()) {
    const measured: MeasuredAttempts[] = [];
    for (let run = 0; run < runs; run += 1) {
      say(`attempts on PostgreSQL, ${layout.name}: round ${run + 1} of ${runs}`);
      const url = await databases.make(`attempts_${at}_${run}`);
      measured.push(await measureLayout(context, { file, url, layout }));
    }
    figures.push(figureOf(layout, measured));
  }
  return figures;
}

type Run = Readonly<{ file: string; url: string; layout: Layout }>;

/** Each batch is stored before the clock starts. Processes of one batch share its chunks. */
async function measureLayout(context: BenchContext, { file, url, layout }: Run) {
  const { env, folder: cwd, signal } = context;
  const run = <Result>(batchId: string, ...more: string[]): Promise<Result> => {
    const args = [file, url, String(CHUNK_ROWS), String(CHUNKS_IN_FLIGHT), batchId, ...more];
    return runModule<Result>({ module: ATTEMPTS, args, env, cwd, signal });
  };
  const batchOf = (process: number): string => `bench-${process % layout.batches}`;
  for (let batch = 0; batch < layout.batches; batch += 1) await run(batchOf(batch), '--write');
  const perBatch = layout.processes / layout.batches;
  const parts = Array.from({ length: layout.processes }, (_, process) =>
    run<MeasuredAttempts>(
      batchOf(process),
      '--share',
      `${Math.floor(process / layout.batches)}/${perBatch}`,
    ),
  );
  return together(await Promise.all(parts));
}

/** From the first start to the last end. */
function together(parts: readonly MeasuredAttempts[]): MeasuredAttempts {
  const startedAtMs = Math.min(...parts.map((part) => part.startedAtMs));
  const endedAtMs = Math.max(...parts.map((part) => part.startedAtMs + part.elapsedMs));
  return {
    startedAtMs,
    elapsedMs: endedAtMs - startedAtMs,
    attempts: parts.reduce((sum, { attempts }) => sum + attempts, 0),
    cpuSeconds: parts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
}

const figureOf = ({ name, aim }: Layout, measured: readonly MeasuredAttempts[]): Figure => ({
  ...medianFigure(
    `attempts on PostgreSQL, ${CHUNKS_IN_FLIGHT} in flight a process: ${name}`,
    'attempts/s',
    measured.map(({ attempts, elapsedMs }) => (attempts / elapsedMs) * 1_000),
  ),
  cpu: medianCpu(measured.map(({ cpuSeconds }) => ({ process: cpuSeconds }))),
  aim,
});
