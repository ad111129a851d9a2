import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { BenchContext, Part } from '../support/context.ts';
import type { Cpu } from '../support/cpu.ts';
import { startCpuTimeline } from '../support/cpu-timeline.ts';
import type { Aim, Figure } from '../support/figure.ts';
import { memoryMib, peakMemoryMib } from '../support/peak-memory.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';
import { type BatchStarter, openStarter } from './batch-starter.ts';
import { whileBusy } from './busy-loops.ts';
import { withHalfCore } from './half-core.ts';
import { countTasks, type TaskCounts } from './task-time-outs.ts';

const ROWS_DEFAULT = 20;
const BATCHES = 300;
/** Batches before the first measurement, so that the worker has its code and its memory. */
const WARM_UP_BATCHES = 20;
const CHUNK_ROWS = 500;
/** How long the worker rests before its memory is read, in milliseconds. */
const REST_MS = 5_000;
const DAY_MS = 86_400_000;
const KIB_PER_MIB = 1_024;

const TIME_OUTS_AIM: Aim = { kind: 'at most', value: 0 };
/** Batches at once on half a core, and what they may cost: 1 % of the workflow tasks, and 500 MB. */
const HALF_CORE_BATCHES = 1_000;
const HALF_CORE_TIME_OUTS_AIM: Aim = { kind: 'at most', value: 1 };
const HALF_CORE_MEMORY_AIM: Aim = { kind: 'at most', value: 477 };
/** 0.4 MB. */
const MEMORY_AIM: Aim = { kind: 'at most', value: 390 };

/** Many small batches that are started at once, on this machine and while other programs take its processor time. */
export const manyPart: Part = async (context) => [
  ...figuresOf(await payAtOnce(context, QUIET)),
  ...figuresOf(await payAtOnce(context, BUSY)),
  ...(await memoryFigures(context)),
];

/** Many small batches that are started at once, and a worker with half a core. */
export const halfCorePart: Part = async (context) => {
  const paid = await payAtOnce(context, HALF_CORE);
  const { title, peak, tasks } = paid;
  const share = (100 * tasks.timedOut) / (tasks.timedOut + tasks.completed);
  const timedOut = `${title}: share of workflow tasks that timed out`;
  const memory = `${title}: peak memory of the worker`;
  return [
    { name: `${title}, until all are paid`, unit: 's', value: paid.seconds, cpu: paid.cpu },
    { name: timedOut, unit: '%', value: share, aim: HALF_CORE_TIME_OUTS_AIM },
    ...(peak === undefined
      ? []
      : [{ name: memory, unit: 'MiB' as const, value: peak, aim: HALF_CORE_MEMORY_AIM }]),
  ];
};

/** How many batches are paid at once, and what the worker has to work with meanwhile. */
type Surroundings = Readonly<{
  name: string;
  title: string;
  count: number;
  within<Result>(stack: BenchStack, use: () => Promise<Result>): Promise<Result>;
}>;

const QUIET: Surroundings = {
  name: 'many-quiet',
  title: `${BATCHES} batches at once`,
  count: BATCHES,
  within: (_stack, use) => use(),
};

const BUSY: Surroundings = {
  name: 'many-busy',
  title: `${BATCHES} batches at once, busy machine`,
  count: BATCHES,
  within: (_stack, use) => whileBusy(use),
};

const HALF_CORE: Surroundings = {
  name: 'half-core',
  title: `${HALF_CORE_BATCHES.toLocaleString('en-US')} batches at once, half a core`,
  count: HALF_CORE_BATCHES,
  within: (stack, use) => withHalfCore(stack.pids().worker, use),
};

async function payAtOnce(context: BenchContext, around: Surroundings): Promise<PaidAtOnce> {
  const { name, title, count, within } = around;
  return withStarter(context, name, async (stack, starter) => {
    await payMany(context, { stack, starter }, batches('warm-up', WARM_UP_BATCHES));
    context.say(`many: ${title}`);
    const ids = batches('batch', count);
    const paid = await within(stack, () => payMany(context, { stack, starter }, ids));
    const tasks = await readTasks(stack, ids);
    const peak = await peakMemoryMib(stack.pids().worker);
    return { title, ...paid, tasks, peak };
  });
}

async function readTasks(
  { temporalAddress }: BenchStack,
  ids: readonly string[],
): Promise<TaskCounts> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    return await countTasks(new Client({ connection }).workflow, ids);
  } finally {
    await connection.close();
  }
}

type PaidAtOnce = Readonly<{
  title: string;
  seconds: number;
  cpu: Cpu;
  tasks: TaskCounts;
  peak: number | undefined;
}>;

const figuresOf = ({ title, seconds, cpu, tasks, peak }: PaidAtOnce): Figure[] => [
  { name: `${title}, until all are paid`, unit: 's', value: seconds, cpu },
  {
    name: `${title}: workflow tasks that timed out`,
    unit: 'tasks',
    value: tasks.timedOut,
    aim: TIME_OUTS_AIM,
  },
  {
    name: `${title}: workflow tasks that left their worker`,
    unit: 'tasks',
    value: tasks.leftWorker,
  },
  { name: `${title}: workflow tasks that were completed`, unit: 'tasks', value: tasks.completed },
  ...(peak === undefined
    ? []
    : [{ name: `${title}: peak memory of the worker`, unit: 'MiB' as const, value: peak }]),
];

/** The memory of a worker whose batches all wait for their time. */
const memoryFigures = (context: BenchContext): Promise<Figure[]> =>
  withStarter(context, 'many-memory', async (stack, starter) => {
    const worker = stack.pids().worker;
    await payMany(context, { stack, starter }, batches('warm-up', WARM_UP_BATCHES));
    await pause(REST_MS);
    const before = await memoryMib(worker);
    context.say(`many: ${BATCHES} batches that wait`);
    const ids = batches('waiting', BATCHES);
    const at = new Date(Date.now() + DAY_MS).toISOString();
    await startFiles(starter, await writeFiles(context, stack, ids), at);
    for (const batchId of ids) await starter.untilPlanned(batchId, context.signal);
    await pause(REST_MS);
    const after = await memoryMib(worker);
    if (before === undefined || after === undefined) return [];
    const value = ((after - before) * KIB_PER_MIB) / BATCHES;
    const name = `${BATCHES} waiting batches: memory of the worker for each`;
    return [{ name, unit: 'KiB', value, aim: MEMORY_AIM }];
  });

const batches = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

type Place = Readonly<{ stack: BenchStack; starter: BatchStarter }>;

/** Starts all batches, and waits until each is paid. Throws unless every row was paid, and sent once. */
async function payMany(
  context: BenchContext,
  { stack, starter }: Place,
  ids: readonly string[],
): Promise<Readonly<{ seconds: number; cpu: Cpu }>> {
  const { rows = ROWS_DEFAULT, signal } = context;
  const files = await writeFiles(context, stack, ids);
  const timeline = startCpuTimeline(stack.pids());
  const startMs = Date.now();
  try {
    await startFiles(starter, files, null);
    for (const batchId of ids) {
      const end = await starter.untilEnded(batchId, signal);
      if (end !== 'COMPLETED') throw new Error(`${batchId} ended as ${end}`);
    }
    const endMs = Date.now();
    timeline.stop();
    const seen = await stack.seen();
    const wrong = ids.find((batchId) => seen[batchId]?.rows !== rows);
    if (wrong !== undefined) throw new Error(`${wrong}: not every row of ${rows} was sent once`);
    return { seconds: (endMs - startMs) / 1_000, cpu: timeline.between(startMs, endMs) };
  } finally {
    timeline.stop();
  }
}

type BatchFile = Readonly<{ batchId: string; file: string }>;

/** Each file has rows of its own: rows that were paid in another batch are a finding. */
async function writeFiles(
  { rows = ROWS_DEFAULT, signal }: BenchContext,
  { folder }: BenchStack,
  ids: readonly string[],
): Promise<BatchFile[]> {
  const files = ids.map((batchId) => ({ batchId, file: join(folder, `${batchId}.csv`) }));
  for (const { batchId, file } of files) {
    await writeSampleFile({ path: file, rows, seed: seedOf(batchId), signal });
  }
  return files;
}

const seedOf = (batchId: string): number =>
  createHash('sha256').update(batchId).digest().readInt32LE();

const startFiles = async (
  starter: BatchStarter,
  files: readonly BatchFile[],
  at: string | null,
): Promise<void> => {
  await Promise.all(files.map((file) => starter.start({ ...file, at })));
};

async function withStarter<Result>(
  context: BenchContext,
  name: string,
  use: (stack: BenchStack, starter: BatchStarter) => Promise<Result>,
): Promise<Result> {
  const options = { name, chunkRows: CHUNK_ROWS, createDelayMs: 0 };
  return withStack(context, options, async (stack) => {
    const starter = await openStarter(stack);
    try {
      return await use(stack, starter);
    } finally {
      await starter.close();
    }
  });
}
