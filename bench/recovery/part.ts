import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRun } from '../control/command.ts';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import type { Seen } from '../support/instant-service/ledger.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';

const ROWS_DEFAULT = 40_000;
const CHUNK_ROWS = 100;
const CREATE_DELAY_MS = 300;
/** Creates that must have left before the worker is lost. */
const CREATES_BEFORE = 20;
const LOOK_MS = 20;
const AIM: Aim = { kind: 'at most', value: 10 };
/** Exit code of a command that leaves a batch that goes on. */
const RUNNING = [8];

/** How soon the next create leaves when the only worker was lost, or asked to end, and another one is started at once. */
export const recoveryPart: Part = async (context) => {
  const figures: Figure[] = [];
  for (const [signal, name] of [
    ['SIGKILL', 'kill -9 of the only worker'],
    ['SIGTERM', 'SIGTERM to the only worker'],
  ] as const) {
    const seconds: number[] = [];
    for (let run = 1; run <= context.runs; run += 1) {
      context.say(`recovery: ${name}, run ${run}`);
      seconds.push(await measure(context, `${signal}-${run}`, signal));
    }
    // The slowest counts: it is a promise, and not an average.
    const figure = medianFigure(`${name}, until the next create, at worst`, 's', seconds);
    figures.push({ ...figure, value: Math.max(...seconds), aim: AIM });
  }
  return figures;
};

/** Seconds from the end of the worker to the next create, on a stack of its own. */
async function measure(
  context: BenchContext,
  name: string,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<number> {
  const options = { name, chunkRows: CHUNK_ROWS, createDelayMs: CREATE_DELAY_MS };
  return withStack(context, options, async (stack) => {
    const path = join(stack.folder, 'rows.csv');
    const { rows = ROWS_DEFAULT } = context;
    await writeSampleFile({ path, rows, seed: 1, signal: context.signal });
    const submit = ['submit', path, '--id', 'lost', '--yes', '--detach'];
    await createRun(context, stack)(submit, RUNNING);
    await untilCreates(context, stack, (seen) => seen.creates >= CREATES_BEFORE);
    const endedMs = await stack.replace('worker', signal);
    const isNext = ({ lastCreateAtMs }: Seen): boolean => lastCreateAtMs > endedMs;
    return ((await untilCreates(context, stack, isNext)).lastCreateAtMs - endedMs) / 1_000;
  });
}

async function untilCreates(
  { signal }: BenchContext,
  stack: BenchStack,
  isEnough: (seen: Seen) => boolean,
): Promise<Seen> {
  for (;;) {
    signal.throwIfAborted();
    const seen = (await stack.seen())['lost'];
    if (seen !== undefined && isEnough(seen)) return seen;
    await pause(LOOK_MS);
  }
}
