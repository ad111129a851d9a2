import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isBursarError } from '../src/domain/errors/bursar-error.ts';
import { packageRoot } from '../src/local-stack/package-root.ts';
import { attemptsPart } from './attempts/part.ts';
import { batchPart, millionPart } from './batch/part.ts';
import { chunkPart } from './chunk/part.ts';
import { commandsPart } from './commands/part.ts';
import { controlPart } from './control/part.ts';
import { disturbedPart } from './disturbed/part.ts';
import { findingsPart } from './findings/part.ts';
import { loadHistory, recordResult } from './history/file.ts';
import { historyText } from './history/history.ts';
import { ingestPart } from './ingest/part.ts';
import { lossesPart } from './losses/part.ts';
import { halfCorePart, manyPart } from './many/part.ts';
import { memoryPart, tenMillionPart } from './memory/part.ts';
import { type Options, type PartName, readOptions, USAGE, UsageError } from './options.ts';
import {
  loadText,
  machineLine,
  repeatCommand,
  type Result,
  resultJson,
  resultText,
} from './result.ts';
import { chartSvg } from './peers/chart.ts';
import { peersPart, PEERS_ROWS } from './peers/part.ts';
import { planPart } from './plan/part.ts';
import { postgresPart } from './postgres/part.ts';
import { recoveryPart } from './recovery/part.ts';
import { sandboxPart } from './sandbox/part.ts';
import { spreadPart } from './spread/part.ts';
import type { Part } from './support/context.ts';
import { isBusy, readLoad, readMachine } from './support/machine.ts';

const PARTS: Readonly<Record<PartName, Part>> = {
  ingest: ingestPart,
  plan: planPart,
  findings: findingsPart,
  commands: commandsPart,
  many: manyPart,
  attempts: attemptsPart,
  chunk: chunkPart,
  batch: batchPart,
  million: millionPart,
  memory: memoryPart,
  control: controlPart,
  recovery: recoveryPart,
  sandbox: sandboxPart,
  disturbed: disturbedPart,
  'ten-million': tenMillionPart,
  'half-core': halfCorePart,
  losses: lossesPart,
  postgres: postgresPart,
  spread: spreadPart,
  peers: peersPart,
};

/** The chart of the part `peers`, which the README shows. */
const CHART_FILE = 'docs/images/bench-peers.svg';

const EXIT_TROUBLE = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The first Ctrl-C stops everything in order; a second one ends the process at once, and what it started with it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

async function bench(options: Options, signal: AbortSignal): Promise<Result> {
  const { rows, runs, delayMs, peers, profileDir } = options;
  const [machine, loadAverage] = [readMachine(), readLoad()];
  say(`${machineLine(machine)}; load average ${loadText(loadAverage)}`);
  if (isBusy(machine, loadAverage)) {
    say(
      'Warning: this machine is busy with something else. The figures will be worse than they could be.',
    );
  }
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
  const startedAt = new Date().toISOString();
  const parts = [];
  for (const part of options.parts) {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
    try {
      const dir = profileDir === undefined ? undefined : resolve(profileDir);
      const sizes = { rows, runs, delayMs, peers };
      const context = { ...sizes, folder, profileDir: dir, env: process.env, signal, say };
      parts.push({ part, figures: await PARTS[part](context) });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { machine, startedAt, loadAverage, rows, parts, repeat: repeatCommand(options) };
}

/** Adds the result to the history, and draws the chart when the peers were measured. */
function record(result: Result): void {
  recordResult(result);
  const figures = result.parts.find(({ part }) => part === 'peers')?.figures;
  if (figures === undefined) return;
  const { rows = PEERS_ROWS, machine, startedAt } = result;
  const basis = `${count(rows)} rows; ${machineLine(machine)}; ${startedAt.slice(0, 10)}`;
  writeFileSync(join(packageRoot(), CHART_FILE), chartSvg(figures, basis));
}

const count = (rows: number): string => rows.toLocaleString('en-US');

async function main(signal: AbortSignal): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(USAGE);
  if (options.history) return void process.stdout.write(`${historyText(loadHistory())}\n`);
  const result = await bench(options, signal);
  process.stdout.write(`${options.json ? resultJson(result) : resultText(result)}\n`);
  if (options.record) record(result);
}

const signal = interruption();
try {
  await main(signal);
} catch (error) {
  if (signal.aborted) {
    say('Stopped.');
    process.exitCode = EXIT_INTERRUPTED;
  } else if (error instanceof UsageError) {
    say(`${error.message}\n\n${USAGE}`);
    process.exitCode = EXIT_USAGE;
  } else {
    say(
      isBursarError(error) ? error.note.what : String(error instanceof Error ? error.stack : error),
    );
    process.exitCode = EXIT_TROUBLE;
  }
}
