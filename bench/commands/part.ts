import { join } from 'node:path';
import type { BenchContext, Part } from '../support/context.ts';
import { withChildCpu } from '../support/cpu.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { compiled, runNode } from '../support/run-module.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';
import { payFile } from '../support/submit.ts';

const ROWS_DEFAULT = 20;
const CHUNK_ROWS = 500;
/** Ticks of the clock of processor time are 10 ms, and a start is 100: more rounds make up for it. */
const ROUNDS_PER_RUN = 4;
/** Exit code of a command that leaves a batch that goes on. */
const RUNNING = 8;

const BURSAR = compiled('../../programs/starter.js');
const COMMAND_AIM: Aim = { kind: 'at most', value: 0.3 };
const SUBMIT_AIM: Aim = { kind: 'at most', value: 0.5 };
const HELP_AIM: Aim = { kind: 'at most', value: 1.5 };

/** The processor time of commands that people and scripts start often, beside a start of Node.js alone. */
export const commandsPart: Part = (context) =>
  withStack(context, { name: 'commands', chunkRows: CHUNK_ROWS, createDelayMs: 0 }, (stack) =>
    measure(context, stack),
  );

async function measure(context: BenchContext, stack: BenchStack): Promise<Figure[]> {
  const { rows = ROWS_DEFAULT, runs, say, signal } = context;
  const rounds = runs * ROUNDS_PER_RUN;
  const fileOf = (name: string): string => join(stack.folder, `${name}.csv`);
  // Files have seeds of their own: rows that were paid before are a finding.
  const names = ['paid', 'planned', ...Array.from({ length: rounds }, (_, i) => `small-${i}`)];
  for (const [seed, name] of names.entries()) {
    await writeSampleFile({ path: fileOf(name), rows, seed, signal });
  }
  await payFile(context, stack, { file: fileOf('paid'), batchId: 'paid', rows });

  const commands: Readonly<Record<string, (round: number) => readonly string[]>> = {
    'node alone': () => ['--eval', '0'],
    'bursar --help': () => [BURSAR, '--help'],
    'bursar status': () => [BURSAR, 'status', 'paid'],
    'bursar list': () => [BURSAR, 'list'],
    'bursar plan': () => [BURSAR, 'plan', fileOf('planned')],
    'bursar submit --detach': (round) => submit(fileOf(`small-${round}`), `small-${round}`),
  };
  const seconds = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    say(`commands: round ${round + 1} of ${rounds}`);
    for (const [name, argsOf] of Object.entries(commands)) {
      const { cpuSeconds } = await withChildCpu(() => run(context, stack, argsOf(round)));
      if (cpuSeconds !== undefined) seconds.get(name)?.push(cpuSeconds);
    }
  }
  return figuresOf(seconds);
}

const submit = (file: string, batchId: string): string[] => [
  BURSAR,
  'submit',
  file,
  '--id',
  batchId,
  '--yes',
  '--detach',
];

/** Runs a program to its end. Throws when it fails. */
async function run(
  { signal }: BenchContext,
  { env, folder: cwd }: BenchStack,
  args: readonly string[],
): Promise<void> {
  const { end, errors } = await runNode(args, { env, cwd, signal });
  if (end !== 0 && end !== RUNNING) {
    throw new Error(`node ${args.join(' ')} ended with ${end}:\n${errors}`);
  }
}

/** No figures where the system does not count processor time. */
function figuresOf(seconds: ReadonlyMap<string, readonly number[]>): Figure[] {
  const figure = (name: string, aim?: Aim): Figure => ({
    ...medianFigure(name, 'CPU s', seconds.get(name) ?? []),
    ...(aim === undefined ? {} : { aim }),
  });
  if ([...seconds.values()].some((each) => each.length === 0)) return [];
  const [node, help] = [figure('node alone'), figure('bursar --help')];
  return [
    node,
    help,
    {
      name: 'bursar --help / node alone',
      unit: 'times',
      value: help.value / node.value,
      aim: HELP_AIM,
    },
    figure('bursar status', COMMAND_AIM),
    figure('bursar list', COMMAND_AIM),
    figure('bursar plan', COMMAND_AIM),
    figure('bursar submit --detach', SUBMIT_AIM),
  ];
}
