import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';
import { type PaidBatch, payFile } from '../support/submit.ts';
import type { BareRun } from './bare-run.ts';
import { workOf } from './work.ts';

const ROWS_DEFAULT = 100_000;
const CHUNK_ROWS = 500;
/** Chunks of the batch that a worker pays before the clock starts. */
const WARM_UP_CHUNKS = 20;

type Scenario = Readonly<{ name: string; title: string; createDelayMs: number; aim: Aim }>;

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'at-once',
    title: 'service at once',
    createDelayMs: 0,
    aim: { kind: 'at most', value: 3 },
  },
  {
    name: 'in-300-ms',
    title: 'service in 300 ms',
    createDelayMs: 300,
    aim: { kind: 'at most', value: 1.15 },
  },
];

/** What safety costs: a whole batch, from its file to its report, beside a loop that only sends and polls. */
export const batchPart: Part = async (context) => {
  const figures: Figure[] = [];
  for (const scenario of SCENARIOS) {
    const { name, createDelayMs } = scenario;
    const measured = await withStack(
      context,
      { name, chunkRows: CHUNK_ROWS, createDelayMs },
      (stack) => measure(context, stack, scenario),
    );
    figures.push(...figuresOf(scenario, measured));
  }
  return figures;
};

type Measured = Readonly<{ bareMs: number[]; paid: PaidBatch[] }>;

/** Takes turns, so that what else the machine does hits both alike. Each round has a file of its own. */
async function measure(
  context: BenchContext,
  stack: BenchStack,
  { title }: Scenario,
): Promise<Measured> {
  const { rows = ROWS_DEFAULT, runs, say, signal } = context;
  const measured: Measured = { bareMs: [], paid: [] };
  const file = join(stack.folder, 'batch.csv');
  await warmUp(context, stack);
  for (let run = 0; run < runs; run += 1) {
    say(`batch, ${title}: round ${run + 1} of ${runs}`);
    await writeSampleFile({ path: file, rows, seed: run + 1, signal });
    // Ids of one length make requests of one length.
    const bareMs = await runBareLoop(context, stack, { file, batchId: `bare-${run}` });
    const paid = await payFile(context, stack, { file, batchId: `safe-${run}`, rows });
    await compareRequests(stack, `bare-${run}`, paid);
    measured.bareMs.push(bareMs);
    measured.paid.push(paid);
    await rm(file);
  }
  return measured;
}

async function warmUp(context: BenchContext, stack: BenchStack): Promise<void> {
  const rows = Math.min(context.rows ?? ROWS_DEFAULT, WARM_UP_CHUNKS * CHUNK_ROWS);
  const file = join(stack.folder, 'warm-up.csv');
  await writeSampleFile({ path: file, rows, seed: 0, signal: context.signal });
  await payFile(context, stack, { file, batchId: 'warm-up', rows });
}

const BARE_LOOP = compiled('../batch/bare-loop.js');

async function runBareLoop(
  { signal }: BenchContext,
  { env, folder: cwd }: BenchStack,
  { file, batchId }: Readonly<{ file: string; batchId: string }>,
): Promise<number> {
  const args = [file, '--batch-id', batchId];
  const { elapsedMs } = await runModule<BareRun>({ module: BARE_LOOP, args, env, cwd, signal });
  return elapsedMs;
}

/** The two are only worth comparing when they sent the same. */
async function compareRequests(stack: BenchStack, bareId: string, { seen }: PaidBatch) {
  const [bare, safe] = [(await stack.seen())[bareId], seen].map(workOf);
  if (bare !== safe) throw new Error(`the bare loop sent ${bare}, the batch ${safe}`);
}

function figuresOf({ title, aim }: Scenario, { bareMs, paid }: Measured): Figure[] {
  const seconds = (name: string, ms: readonly number[]): Figure =>
    medianFigure(`${title}: ${name}`, 's', ms.map(toSeconds));
  const stage = (name: string, stageMs: (batch: PaidBatch) => number): Figure =>
    seconds(name, paid.map(stageMs));
  const bare = seconds('bare loop', bareMs);
  const command = stage('bursar submit', (batch) => batch.endMs - batch.startMs);
  const workflow = stage(
    '  its workflow',
    (batch) => batch.workflow.endMs - batch.workflow.startMs,
  );
  const ratio = (name: string, { value }: Figure): Figure => ({
    name: `${title}: ${name}`,
    unit: 'times',
    value: value / bare.value,
    aim,
  });
  return [
    bare,
    command,
    stage('  before its workflow began', (batch) => batch.workflow.startMs - batch.startMs),
    workflow,
    stage('    ingest', ({ workflow: { ingestMs } }) => ingestMs),
    stage('    create and settle', ({ workflow: { payMs } }) => payMs),
    stage('    report', ({ workflow: { reportMs } }) => reportMs),
    stage('  after its workflow ended', (batch) => batch.endMs - batch.workflow.endMs),
    ratio('bursar submit / bare loop', command),
    ratio('its workflow / bare loop', workflow),
  ];
}

const toSeconds = (ms: number): number => ms / 1_000;
