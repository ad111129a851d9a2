import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readJsonText } from '../../../operations/input/json-text.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import type { Sandbox } from '../../sandbox/client.ts';
import { type Done, Fixtures, runStep, type Step } from '../../sandbox/fixtures.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll } from './open.ts';

export type FixturesFlags = SandboxFlags & Readonly<{ file: string }>;

/** `bursar sandbox fixtures FILE`: runs the steps of a file in their order, up to the first that is refused. */
export async function fixtures(
  { file, ...flags }: FixturesFlags,
  context: Context,
): Promise<number> {
  const steps = await readSteps(file, context);
  await printAll(context, runSteps(steps, await openSandbox(flags, context), context), output());
  return EXIT.done;
}

/** Checks the whole file before the first step. Throws FLAG_INVALID. */
async function readSteps(file: string, { cwd }: Context): Promise<readonly Step[]> {
  const { success, data, error } = Fixtures.safeParse(
    readJsonText('FILE', await readText(resolve(cwd, file))),
  );
  if (success) return data.steps;
  throw flagInvalid('FILE', issuesText(error));
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw flagInvalid('FILE', `it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Problems that are told at once. */
const ISSUES_MAX = 5;

const issuesText = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, ISSUES_MAX)
    .map(({ path, message }) => `${placeOf(path)}: ${message}`)
    .join('; ');

/** Steps are counted from 1, as in what is printed. */
const placeOf = ([first, index, ...rest]: readonly PropertyKey[]): string =>
  typeof index === 'number' ? [first, index + 1, ...rest].join('.') : String(first ?? 'the file');

type DoneStep = Done & Readonly<{ step: number; do: Step['do'] }>;

async function* runSteps(
  steps: readonly Step[],
  sandbox: Sandbox,
  { clock, interrupted, say }: Context,
): AsyncGenerator<DoneStep> {
  const pause = async (delayMs: number): Promise<void> => {
    await clock.pause(delayMs, interrupted);
    interrupted.throwIfAborted();
  };
  for (const [index, step] of steps.entries()) {
    const place = { step: index + 1, do: step.do };
    try {
      yield { ...place, ...(await runStep(step, { sandbox, pause })) };
    } catch (error) {
      const before = index === 0 ? '' : '; those before it were';
      say(`Step ${place.step} (${place.do}) was not done${before}.`);
      throw error;
    }
  }
}

function output() {
  const table = createTable([
    { title: 'STEP', width: 4, right: true },
    { title: 'DO', width: 12 },
    { title: 'DONE', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-fixtures/v1',
    name: 'steps',
    lineSchema: 'bursar.sandbox-step/v1',
    header: table.header(),
    textOf: ({ step, do: name, text }: DoneStep) =>
      table.row([String(step), name, printable(text)]),
  };
}
