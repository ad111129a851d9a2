import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import { type Cpu, cpuOf, withChildCpu } from '../support/cpu.ts';
import { type Aim, type Figure, medianCpu, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import type { Measured } from './measured.ts';

const ROWS_DEFAULT = 1_000_000;
const CHUNK_ROWS = 1_000;
const AIM: Aim = { kind: 'at least', value: 0.35 };

const PARSER = compiled('../ingest/measure-parser.js');
const INGEST = compiled('../ingest/measure-ingest.js');

/** How quickly a file gets into the store, beside a CSV parser that checks and keeps nothing. */
export const ingestPart: Part = async (context) => {
  const { folder, runs, rows = ROWS_DEFAULT, signal, say } = context;
  const file = join(folder, 'ingest.csv');
  say(`ingest: writing a file of ${rows} rows`);
  await writeSampleFile({ path: file, rows, seed: 1, signal });

  const parser: Round[] = [];
  const ingest: Round[] = [];
  for (let run = 0; run < runs; run += 1) {
    say(`ingest: round ${run + 1} of ${runs}`);
    parser.push(await measure(context, rows, { module: PARSER, args: [file] }));
    ingest.push(await measureIngest(context, rows, file));
  }
  const alone = figureOf('Papa Parse alone, no checks, nothing kept', parser);
  const ours = figureOf('ingest into the SQLite store, all checks', ingest);
  return [
    alone,
    ours,
    { name: 'ingest / Papa Parse', unit: 'times', value: ours.value / alone.value, aim: AIM },
  ];
};

type Round = Readonly<{ rowsPerSecond: number; cpu: Cpu }>;

const figureOf = (name: string, rounds: readonly Round[]): Figure => ({
  ...medianFigure(
    name,
    'rows/s',
    rounds.map(({ rowsPerSecond }) => rowsPerSecond),
  ),
  cpu: medianCpu(rounds.map(({ cpu }) => cpu)),
});

/** Each run gets a store of its own: an old one would be larger, and its file partly in place. */
async function measureIngest(context: BenchContext, rows: number, file: string): Promise<Round> {
  const store = join(context.folder, 'ingest-store');
  const args = [file, `sqlite:${join(store, 'store.db')}`, String(CHUNK_ROWS)];
  try {
    return await measure(context, rows, { module: INGEST, args });
  } finally {
    await rm(store, { recursive: true, force: true });
  }
}

/** Rows per second, measured in a process of its own: no run warms another one up. */
async function measure(
  { folder, env, signal }: BenchContext,
  rows: number,
  program: Readonly<{ module: string; args: readonly string[] }>,
): Promise<Round> {
  const { result: measured, cpuSeconds } = await withChildCpu(() =>
    runModule<Measured>({ ...program, env, cwd: folder, signal }),
  );
  if (measured.rows !== rows) throw new Error(`${measured.rows} of ${rows} rows were found`);
  const rowsPerSecond = (measured.rows / measured.elapsedMs) * 1_000;
  return { rowsPerSecond, cpu: cpuOf('process', cpuSeconds) };
}
