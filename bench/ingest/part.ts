import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import type { Measured } from './measured.ts';

const ROWS_DEFAULT = 1_000_000;
const CHUNK_ROWS = 1_000;
const AIM: Aim = { kind: 'at least', value: 0.5 };

const PARSER = compiled('../ingest/measure-parser.js');
const INGEST = compiled('../ingest/measure-ingest.js');

/** How quickly a file gets into the store, beside a CSV parser that checks and keeps nothing. */
export const ingestPart: Part = async (context) => {
  const { folder, runs, rows = ROWS_DEFAULT, signal, say } = context;
  const file = join(folder, 'ingest.csv');
  say(`ingest: writing a file of ${rows} rows`);
  await writeSampleFile({ path: file, rows, seed: 1, signal });

  const parser: number[] = [];
  const ingest: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    say(`ingest: round ${run + 1} of ${runs}`);
    parser.push(await measure(context, rows, { module: PARSER, args: [file] }));
    ingest.push(await measureIngest(context, rows, file));
  }
  const alone = medianFigure('Papa Parse alone, no checks, nothing kept', 'rows/s', parser);
  const ours = medianFigure('ingest into the SQLite store, all checks', 'rows/s', ingest);
  return [
    alone,
    ours,
    { name: 'ingest / Papa Parse', unit: 'times', value: ours.value / alone.value, aim: AIM },
  ];
};

/** Each run gets a store of its own: an old one would be larger, and its file partly in place. */
async function measureIngest(context: BenchContext, rows: number, file: string): Promise<number> {
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
): Promise<number> {
  const measured = await runModule<Measured>({ ...program, env, cwd: folder, signal });
  if (measured.rows !== rows) throw new Error(`${measured.rows} of ${rows} rows were found`);
  return (measured.rows / measured.elapsedMs) * 1_000;
}
