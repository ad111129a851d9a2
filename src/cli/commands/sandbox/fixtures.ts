import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readJsonText } from '../../../operations/input/json-text.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { type FixtureResult, Fixtures, runStep, type FixtureStep } from '../../sandbox/fixtures.ts';

/** Checks the whole file before the first step. Throws FLAG_INVALID. */
export async function readSteps(path: string): Promise<readonly FixtureStep[]> {
  const json = readJsonText('FILE', await readText(path));
  const { success, data, error } = Fixtures.safeParse(json);
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

/** Problems that are shown at once. */
const ISSUES_MAX = 5;

const issuesText = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, ISSUES_MAX)
    .map(({ path, message }) => `${placeOf(path)}: ${message}`)
    .join('; ');

/** Steps are counted from 1, as in the printed text. */
const placeOf = ([first, index, ...rest]: readonly PropertyKey[]): string =>
  typeof index === 'number' ? [first, index + 1, ...rest].join('.') : String(first ?? 'the file');

/** A step that was run, and its effect. */
export type DoneStep = FixtureResult & Readonly<{ step: number; do: FixtureStep['do'] }>;

/** Runs steps in their order, up to the first that the sandbox refuses. */
export async function* runSteps(
  steps: readonly FixtureStep[],
  sandbox: SandboxClient,
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
