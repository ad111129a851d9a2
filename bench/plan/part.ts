import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import { type Cpu, cpuOf, withChildCpu } from '../support/cpu.ts';
import { type Aim, type Figure, medianCpu, medianFigure } from '../support/figure.ts';
import { compiled, runModule } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { settingsEnv, withoutSettings } from '../support/settings.ts';
import { PEAK_FILE, type Peak } from './peak.ts';

const ROWS_DEFAULT = 1_000_000;
/** How many times smaller the file is that the large one is held against. */
const SMALLER = 100;
const CHUNK_ROWS = 1_000;
const KIB_PER_MIB = 1_024;
/** Of a row 10 bytes are kept: for a million that alone is a tenth of what a small plan takes. */
const AIM: Aim = { kind: 'at most', value: 1.4 };

const BURSAR = compiled('../../programs/starter.js');
const WRITE_PEAK = compiled('../plan/write-peak.js');

/** How much more memory `bursar plan` needs for a file a hundred times as large, and how long it takes. */
export const planPart: Part = async (context) => {
  const { rows = ROWS_DEFAULT, runs } = context;
  const few = Math.ceil(rows / SMALLER);
  const small: Planned[] = [];
  const large: Planned[] = [];
  const files = { small: await sample(context, few), large: await sample(context, rows) };
  for (let run = 0; run < runs; run += 1) {
    context.say(`plan: round ${run + 1} of ${runs}`);
    small.push(await planOnce(context, files.small, few));
    large.push(await planOnce(context, files.large, rows));
  }
  const peaks = [peakFigure(few, small), peakFigure(rows, large)] as const;
  const times = peaks[1].value / peaks[0].value;
  const seconds = large.map((planned) => planned.seconds);
  return [
    ...peaks,
    { name: 'large file / small file, peak memory', unit: 'times', value: times, aim: AIM },
    {
      ...medianFigure(`${count(rows)} rows: bursar plan, start to end`, 's', seconds),
      cpu: medianCpu(large.map(({ cpu }) => cpu)),
    },
  ];
};

const count = (rows: number): string => rows.toLocaleString('en-US');

type Planned = Readonly<{ seconds: number; cpu: Cpu; peakMib: number }>;

const peakFigure = (rows: number, planned: readonly Planned[]): Figure =>
  medianFigure(
    `${count(rows)} rows: peak memory`,
    'MiB',
    planned.map(({ peakMib }) => peakMib),
  );

async function sample({ folder, say, signal }: BenchContext, rows: number): Promise<string> {
  say(`plan: writing a file of ${count(rows)} rows`);
  const path = join(folder, `${rows}.csv`);
  await writeSampleFile({ path, rows, seed: 1, signal });
  return path;
}

/** Plans a file as a person would, with settings that lead to no store. Throws unless every row is in the plan. */
async function planOnce(
  { folder, signal, env }: BenchContext,
  file: string,
  rows: number,
): Promise<Planned> {
  const place = { folder, url: 'http://127.0.0.1:1', chunkRows: CHUNK_ROWS, taskQueue: 'bench' };
  const startMs = performance.now();
  const { result: view, cpuSeconds } = await withChildCpu(() =>
    runModule<{ rows: { accepted: number }; chunkList: readonly unknown[] }>({
      module: BURSAR,
      args: ['plan', file, '-o', 'json'],
      nodeArgs: ['--import', WRITE_PEAK],
      env: { ...withoutSettings(env), ...settingsEnv(place) },
      cwd: folder,
      signal,
    }),
  );
  const seconds = (performance.now() - startMs) / 1_000;
  if (view.rows.accepted !== rows || view.chunkList.length === 0) {
    throw new Error(`the plan of ${rows} rows has ${view.rows.accepted}`);
  }
  const peakPath = join(folder, PEAK_FILE);
  const { peakKib } = JSON.parse(await readFile(peakPath, 'utf8')) as Peak;
  await rm(peakPath);
  return { seconds, cpu: cpuOf('cli', cpuSeconds), peakMib: peakKib / KIB_PER_MIB };
}
