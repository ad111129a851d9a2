import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianCpu, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import type { Measured } from './measured.ts';

const ROWS_DEFAULT = 1_000_000;
const CHUNK_ROWS = 1_000;
const PAST_BATCHES = 20;
/** Rows of all past batches together, in times of those of the file. */
const PAST_TIMES = 5;
const AIM: Aim = { kind: 'at most', value: 0.25 };

const HISTORY = compiled('../findings/make-history.js');
const FINDINGS = compiled('../findings/measure-findings.js');

/** What it costs to hold a file against everything that was paid before, beside reading it. */
export const findingsPart: Part = async (context) => {
  const { folder, runs, rows = ROWS_DEFAULT, signal, say } = context;
  const file = join(folder, 'findings.csv');
  const store = `sqlite:${join(folder, 'findings-store', 'store.db')}`;
  say(`findings: writing a file of ${rows} rows`);
  await writeSampleFile({ path: file, rows, seed: 3, signal });
  const batchRows = Math.ceil((rows * PAST_TIMES) / PAST_BATCHES);
  say(`findings: making ${PAST_BATCHES} past batches of ${batchRows} rows`);
  const numbers = [CHUNK_ROWS, PAST_BATCHES, batchRows].map(String);
  await run(context, HISTORY, [file, store, ...numbers]);

  const measured: Measured[] = [];
  for (let round = 0; round < runs; round += 1) {
    say(`findings: round ${round + 1} of ${runs}`);
    const args = [file, store, String(CHUNK_ROWS), `own-${round}`];
    measured.push(check(await run<Measured>(context, FINDINGS, args), rows));
  }
  const seconds = (pick: (each: Measured) => number) => measured.map((each) => pick(each) / 1_000);
  const [pastRows = 0] = measured.map((each) => each.pastRows);
  const read: Figure = {
    ...medianFigure(
      'reading the file into the store',
      's',
      seconds((m) => m.ingestMs),
    ),
    cpu: medianCpu(measured.map((each) => ({ process: each.ingestCpuSeconds }))),
  };
  const judged: Figure = {
    ...medianFigure(
      `findings against ${pastRows.toLocaleString('en-US')} past rows`,
      's',
      seconds((m) => m.findingsMs),
    ),
    cpu: medianCpu(measured.map((each) => ({ process: each.findingsCpuSeconds }))),
  };
  return [
    read,
    judged,
    { name: 'findings / reading', unit: 'times', value: judged.value / read.value, aim: AIM },
  ];
};

/** Half of the past rows pay payees of the file, so that most of its own are known. */
function check(measured: Measured, rows: number): Measured {
  const { FIRST_TIME_PAYEE: unknown = 0, DUPLICATE_IN_HISTORY: repeated = 0 } = measured.findings;
  if (measured.rows === rows && unknown < rows / 2 && repeated > 0) return measured;
  throw new Error(`the findings are not those of the file: ${JSON.stringify(measured)}`);
}

const run = <Result>(
  { folder, env, signal }: BenchContext,
  module: string,
  args: readonly string[],
): Promise<Result> => runModule<Result>({ module, args, env, cwd: folder, signal });
