import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianCpu, medianFigure } from '../support/figure.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';
import { type Approver, createApprover } from './approver.ts';
import { createRun, type Ran, type Run } from './command.ts';

const ROWS_DEFAULT = 1_000_000;
const CHUNK_ROWS = 1_000;
/** Rows of the batches that are approved meanwhile. */
const SMALL_ROWS = 100;
/** Slow enough that the large batch is being paid for as long as anything is measured. */
const CREATE_DELAY_MS = 1_500;
const LOOK_MS = 200;
const AIM: Aim = { kind: 'at most', value: 1 };
const RUNNING = [0, 8];

/** How soon a person gets an answer while a large batch is being paid. */
export const controlPart: Part = async (context) => {
  const { rows = ROWS_DEFAULT, folder } = context;
  const approver = createApprover(folder);
  const options = { name: 'control', chunkRows: CHUNK_ROWS, createDelayMs: CREATE_DELAY_MS };
  return withStack(context, { ...options, env: approver.env }, (stack) =>
    measure(context, stack, { rows, approver }),
  );
};

type Job = Readonly<{ rows: number; approver: Approver }>;

async function measure(
  context: BenchContext,
  stack: BenchStack,
  { rows, approver }: Job,
): Promise<Figure[]> {
  const { say, runs } = context;
  const run = createRun(context, stack);
  const begin = async (batchId: string, count: number, seed: number): Promise<void> => {
    const path = join(stack.folder, `${batchId}.csv`);
    await writeSampleFile({ path, rows: count, seed, signal: context.signal });
    await run(['submit', path, '--id', batchId, '--yes', '--detach'], RUNNING);
    await untilState(run, batchId, 'AWAITING_APPROVAL');
  };
  const approve = async (batchId: string): Promise<Ran> => {
    const { value } = await run(['status', batchId]);
    const totals = (value['amounts'] as readonly { currency: string; requested: string }[])
      .map(({ currency, requested }) => `${requested}:${currency}`)
      .join(',');
    const as = ['--key', approver.keyFile, '--as', approver.name];
    return run(['approve', batchId, ...as, '--confirm', totals]);
  };

  say(`control: starting a batch of ${rows.toLocaleString('en-US')} rows`);
  await begin('large', rows, 1);
  await approve('large');
  await untilState(run, 'large', 'PAYING');
  const commands = { approve: [], pause: [], resume: [], status: [] } as Record<string, Ran[]>;
  const take = (name: string, ran: Ran): void => {
    commands[name]?.push(ran);
  };
  for (let turn = 0; turn < runs + 2; turn += 1) {
    say(`control: round ${turn + 1}`);
    await begin(`small-${turn}`, SMALL_ROWS, turn + 100);
    take('approve', await approve(`small-${turn}`));
    take('status', await run(['status', 'large']));
    take('pause', await run(['pause', 'large', '--reason', 'measured']));
    // Under the policy the submitter cannot lift a hold.
    const as = ['--key', approver.keyFile];
    take('resume', await run(['resume', 'large', '--reason', 'measured', ...as]));
  }
  const { value } = await run(['status', 'large']);
  if (value['state'] !== 'PAYING') throw new Error('the large batch was paid before the end');
  return Object.entries(commands).map(([name, ran]) => commandFigure(name, ran));
}

const commandFigure = (name: string, ran: readonly Ran[]): Figure => ({
  ...medianFigure(
    `bursar ${name}, start to end`,
    's',
    ran.map(({ ms }) => ms / 1_000),
  ),
  cpu: medianCpu(ran.map(({ cpu }) => cpu)),
  aim: AIM,
});

async function untilState(run: Run, batchId: string, state: string): Promise<void> {
  for (;;) {
    const { value } = await run(['status', batchId]);
    if (value['state'] === state) return;
    await pause(LOOK_MS);
  }
}
