import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_ROWS } from '../batch/measure.ts';
import type { Part } from '../support/context.ts';
import { type Aim, medianCpu, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { CHUNKS_IN_FLIGHT } from '../support/settings.ts';
import type { MeasuredAttempts } from './measured-attempts.ts';

const ROWS_DEFAULT = 500_000;
const AIM: Aim = { kind: 'at least', value: 1_000 };

export const ATTEMPTS = compiled('../attempts/measure-attempts.js');

/** How many attempts the store begins and ends in a second, each durable before its create may leave. */
export const attemptsPart: Part = async (context) => {
  const { folder, runs, rows = ROWS_DEFAULT, env, signal, say } = context;
  const file = join(folder, 'attempts.csv');
  await writeSampleFile({ path: file, rows, seed: 1, signal });
  const measured: MeasuredAttempts[] = [];
  for (let run = 0; run < runs; run += 1) {
    say(`attempts: round ${run + 1} of ${runs}`);
    const store = join(folder, 'attempts-store');
    const numbers = [CHUNK_ROWS, CHUNKS_IN_FLIGHT].map(String);
    const args = [file, `sqlite:${join(store, 'store.db')}`, ...numbers, 'bench'];
    measured.push(
      await runModule<MeasuredAttempts>({ module: ATTEMPTS, args, env, cwd: folder, signal }),
    );
    await rm(store, { recursive: true, force: true });
  }
  const name = `attempts begun and ended, ${CHUNKS_IN_FLIGHT} in flight`;
  return [
    {
      ...medianFigure(
        name,
        'attempts/s',
        measured.map(({ attempts, elapsedMs }) => (attempts / elapsedMs) * 1_000),
      ),
      cpu: medianCpu(measured.map(({ cpuSeconds }) => ({ process: cpuSeconds }))),
      aim: AIM,
    },
  ];
};
