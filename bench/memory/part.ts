import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import type { Cpu } from '../support/cpu.ts';
import type { Aim, Figure } from '../support/figure.ts';
import { peakMemoryMib } from '../support/peak-memory.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { withStack } from '../support/stack.ts';
import { payFile } from '../support/submit.ts';

const CHUNK_ROWS = 1_000;

type Sizes = Readonly<{
  rows: number;
  /** How many times smaller the other batch is. */
  smaller: number;
  aim: Aim;
  timeAim?: Aim;
}>;

/** How much more memory a worker needs for a batch a hundred times as large, and how long such a batch takes. */
export const memoryPart: Part = (context) =>
  compareSizes(context, {
    rows: context.rows ?? 1_000_000,
    smaller: 100,
    aim: { kind: 'at most', value: 1.2 },
  });

/** The largest file that Bursar accepts, beside one of a tenth of it. */
export const tenMillionPart: Part = (context) =>
  compareSizes(context, {
    rows: context.rows ?? 10_000_000,
    smaller: 10,
    aim: { kind: 'at most', value: 1.3 },
    timeAim: { kind: 'at most', value: 600 },
  });

async function compareSizes(
  context: BenchContext,
  { rows, smaller, aim, timeAim }: Sizes,
): Promise<Figure[]> {
  const few = Math.ceil(rows / smaller);
  const small = await payOnce(context, 'small', few);
  const large = await payOnce(context, 'large', rows);
  return [
    ...memoryFigures(small, large, aim),
    {
      name: `${count(rows)} rows: bursar submit, start to end`,
      unit: 's',
      value: large.seconds,
      cpu: large.cpu,
      ...(timeAim === undefined ? {} : { aim: timeAim }),
    },
    { name: `${count(rows)} rows: speed`, unit: 'rows/s', value: rows / large.seconds },
  ];
}

const count = (rows: number): string => rows.toLocaleString('en-US');

type Paid = Readonly<{ rows: number; seconds: number; cpu: Cpu; peakMib: number | undefined }>;

/** Pays one file with a worker that has paid nothing before. */
async function payOnce(context: BenchContext, name: string, rows: number): Promise<Paid> {
  const { say, signal, folder } = context;
  say(`memory: writing a file of ${count(rows)} rows`);
  const file = join(folder, `${name}.csv`);
  await writeSampleFile({ path: file, rows, seed: 1, signal });
  return withStack(context, { name, chunkRows: CHUNK_ROWS, createDelayMs: 0 }, async (stack) => {
    say(`memory: paying ${count(rows)} rows`);
    const { stages } = await payFile(context, stack, { file, batchId: name, rows });
    await rm(file);
    const peakMib = await peakMemoryMib(stack.pids().worker);
    return { rows, seconds: stages.submit.ms / 1_000, cpu: stages.submit.cpu, peakMib };
  });
}

function memoryFigures(small: Paid, large: Paid, aim: Aim): Figure[] {
  if (small.peakMib === undefined || large.peakMib === undefined) return [];
  const peak = ({ rows, peakMib = 0 }: Paid): Figure => ({
    name: `${count(rows)} rows: the worker's peak memory`,
    unit: 'MiB',
    value: peakMib,
  });
  const times = large.peakMib / small.peakMib;
  const name = `${count(large.rows)} rows / ${count(small.rows)} rows, the worker's peak memory`;
  return [peak(small), peak(large), { name, unit: 'times', value: times, aim }];
}
