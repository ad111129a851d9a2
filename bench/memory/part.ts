import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import type { Aim, Figure } from '../support/figure.ts';
import { peakMemoryMib } from '../support/peak-memory.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { withStack } from '../support/stack.ts';
import { payFile } from '../support/submit.ts';

const ROWS_DEFAULT = 1_000_000;
/** How many times smaller the batch is that the large one is held against. */
const SMALLER = 100;
const CHUNK_ROWS = 1_000;
const AIM: Aim = { kind: 'at most', value: 1.3 };

/** How much more memory a worker needs for a batch a hundred times as large, and how long such a batch takes. */
export const memoryPart: Part = async (context) => {
  const { rows = ROWS_DEFAULT } = context;
  const few = Math.ceil(rows / SMALLER);
  const small = await payOnce(context, 'small', few);
  const large = await payOnce(context, 'large', rows);
  return [
    ...memoryFigures({ rows: few, ...small }, { rows, ...large }),
    { name: `${count(rows)} rows: bursar submit, start to end`, unit: 's', value: large.seconds },
    { name: `${count(rows)} rows: speed`, unit: 'rows/s', value: rows / large.seconds },
  ];
};

const count = (rows: number): string => rows.toLocaleString('en-US');

type Paid = Readonly<{ seconds: number; peakMib: number | undefined }>;

/** Pays one file with a worker that has paid nothing before. */
async function payOnce(context: BenchContext, name: string, rows: number): Promise<Paid> {
  const { say, signal, folder } = context;
  say(`memory: writing a file of ${count(rows)} rows`);
  const file = join(folder, `${name}.csv`);
  await writeSampleFile({ path: file, rows, seed: 1, signal });
  return withStack(context, { name, chunkRows: CHUNK_ROWS, createDelayMs: 0 }, async (stack) => {
    say(`memory: paying ${count(rows)} rows`);
    const { startMs, endMs } = await payFile(context, stack, { file, batchId: name, rows });
    await rm(file);
    return { seconds: (endMs - startMs) / 1_000, peakMib: await peakMemoryMib(stack.workerPid) };
  });
}

function memoryFigures(
  small: Paid & Readonly<{ rows: number }>,
  large: Paid & Readonly<{ rows: number }>,
): Figure[] {
  if (small.peakMib === undefined || large.peakMib === undefined) return [];
  const peak = ({ rows, peakMib = 0 }: typeof small): Figure => ({
    name: `${count(rows)} rows: the worker's peak memory`,
    unit: 'MiB',
    value: peakMib,
  });
  const times = large.peakMib / small.peakMib;
  const name = 'large batch / small batch, peak memory';
  return [peak(small), peak(large), { name, unit: 'times', value: times, aim: AIM }];
}
