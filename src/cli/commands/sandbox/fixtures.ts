import { EVENT_TYPES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { moneyText } from '../../../domain/text/money-text.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { flag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import type { Context } from '../../context.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { offsetText } from '../../sandbox/clock-text.ts';
import { readJsonFile } from '../../sandbox/json-file.ts';
import { pause } from '../../sandbox/pause.ts';
import { PLAIN_DECIMAL, text } from './fields.ts';
import { setModes } from './modes.ts';
import { sandboxOperation } from './operations.ts';

const STEP_VIEW: ListView<DoneStep> = {
  schema: 'bursar.sandbox-fixtures/v1',
  array: 'steps',
  lineSchema: 'bursar.sandbox-step/v1',
  columns: [
    { title: 'STEP', width: 4, right: true, cell: (of) => of.step },
    { title: 'DO', width: 12, cell: (of) => of.do },
    { title: 'DONE', width: 0, cell: (of) => of.text },
  ],
};

export const fixtures = sandboxOperation({
  name: 'fixtures',
  summary: 'run the steps of a file; docs/commands.md lists them',
  fields: { file: flag('<file>', 'JSON file: {"steps":[{"do":"top-up", ...}, ...]}', text) },
  async run({ file }, sandbox, context) {
    const steps = readSteps(await readJsonFile(file, context));
    return list(STEP_VIEW, runSteps(steps, sandbox, context));
  },
});

/** Steps of one file. */
const STEPS_MAX = 1_000;

/** Ten minutes; a longer value is taken for a typing error. */
const PAUSE_MS_MAX = 600_000;

const AMOUNT_RULE = 'must be a plain decimal in quotes, such as "12.5"';

const Values = z.record(z.string(), z.unknown());

const FixtureStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('top-up'),
    /** Text, so that no amount is ever a JavaScript number. */
    amount: z.string(AMOUNT_RULE).regex(PLAIN_DECIMAL, AMOUNT_RULE),
    currency: text,
    account: text.optional(),
    opCode: text.optional(),
  }),
  z.strictObject({
    do: z.literal('trigger'),
    event: z.enum(EVENT_TYPES),
    account: text.optional(),
    overrides: Values.optional(),
  }),
  /** The other fields are those of the kind; the sandbox checks them. */
  z.looseObject({ do: z.literal('fault'), target: text, kind: text }),
  z.strictObject({ do: z.literal('clear-faults') }),
  z.strictObject({
    do: z.literal('modes'),
    set: z.record(z.string(), z.union([z.string(), z.int(), z.null()])),
  }),
  z.strictObject({ do: z.literal('reset-modes') }),
  z.strictObject({ do: z.literal('clock'), offsetMs: z.int().nullable() }),
  z.strictObject({ do: z.literal('pause'), delayMs: z.int().min(1).max(PAUSE_MS_MAX) }),
]);
type FixtureStep = z.output<typeof FixtureStep>;

/** A file of steps. */
const Fixtures = z.strictObject({ steps: z.array(FixtureStep).min(1).max(STEPS_MAX) });

/** The effect of a step: a sentence for people, and the answer of the sandbox. */
type FixtureResult = Readonly<{ text: string; answer: object | null }>;

/** Runs one step. Throws as the sandbox refuses. */
async function runStep(
  step: FixtureStep,
  sandbox: SandboxClient,
  context: Context,
): Promise<FixtureResult> {
  switch (step.do) {
    case 'top-up': {
      const { do: _, ...asked } = step;
      const answer = await sandbox.call('POST /top-up', asked);
      return {
        text: `${answer.account} has ${moneyText(answer.balance, answer.currency)} now`,
        answer,
      };
    }
    case 'trigger': {
      const { event: type, account, overrides } = step;
      const answer = await sandbox.call('POST /events', { type, account, overrides });
      return { text: `${answer.type}, subscriptions that get it: ${answer.subscriptions}`, answer };
    }
    case 'fault': {
      const { do: _, ...rule } = step;
      const answer = await sandbox.call('POST /faults', rule);
      return { text: `fault ${answer.id}: ${answer.kind} of ${answer.target}`, answer };
    }
    case 'clear-faults':
      return { text: 'no faults are left', answer: await sandbox.call('DELETE /faults') };
    case 'modes': {
      const names = Object.keys(step.set).join(', ');
      return { text: `set: ${names}`, answer: await setModes(sandbox, step.set) };
    }
    case 'reset-modes': {
      const answer = await sandbox.call('PUT /modes', {});
      return { text: 'every mode follows the settings', answer };
    }
    case 'clock': {
      const answer = await sandbox.call('PUT /clock', { offsetMs: step.offsetMs });
      return { text: `the clock is ${offsetText(answer.offsetMs)}`, answer };
    }
    case 'pause':
      await pause(step.delayMs, context);
      return { text: `${step.delayMs} ms passed`, answer: null };
  }
}

/** Checks the whole file before the first step. Throws FLAG_INVALID. */
function readSteps(json: unknown): readonly FixtureStep[] {
  const { success, data, error } = Fixtures.safeParse(json);
  if (success) return data.steps;
  throw flagInvalid('FILE', issuesText(error));
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
type DoneStep = FixtureResult & Readonly<{ step: number; do: FixtureStep['do'] }>;

/** Runs steps in their order, up to the first that the sandbox refuses. */
async function* runSteps(
  steps: readonly FixtureStep[],
  sandbox: SandboxClient,
  context: Context,
): AsyncGenerator<DoneStep> {
  for (const [index, step] of steps.entries()) {
    const place = { step: index + 1, do: step.do };
    try {
      yield { ...place, ...(await runStep(step, sandbox, context)) };
    } catch (error) {
      const before = index === 0 ? '' : '; those before it were';
      context.say(`Step ${place.step} (${place.do}) was not done${before}.`);
      throw error;
    }
  }
}
