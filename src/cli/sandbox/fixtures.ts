import { z } from 'zod';
import { EVENT_TYPES } from '@bursar/merchant-api/spec';
import {
  addFault,
  announce,
  clearFaults,
  PLAIN_DECIMAL,
  replaceModes,
  setClock,
  setModes,
  topUp,
} from './acts.ts';
import type { SandboxClient } from './client.ts';
import { offsetText } from './clock-text.ts';

/** Steps of one file. */
const STEPS_MAX = 1_000;

/** Ten minutes; whoever means longer has mistyped. */
const PAUSE_MS_MAX = 600_000;

const AMOUNT_RULE = 'must be a plain decimal in quotes, such as "12.5"';

const Values = z.record(z.string(), z.unknown());

const FixtureStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('top-up'),
    /** Text, so that no amount is ever a JavaScript number. */
    amount: z.string(AMOUNT_RULE).regex(PLAIN_DECIMAL, AMOUNT_RULE),
    currency: z.string(),
    account: z.string().optional(),
    opCode: z.string().optional(),
  }),
  z.strictObject({
    do: z.literal('trigger'),
    event: z.enum(EVENT_TYPES),
    account: z.string().optional(),
    overrides: Values.optional(),
  }),
  /** The other fields are those of the kind; the sandbox checks them. */
  z.looseObject({ do: z.literal('fault'), target: z.string(), kind: z.string() }),
  z.strictObject({ do: z.literal('clear-faults') }),
  z.strictObject({
    do: z.literal('modes'),
    set: z.record(z.string(), z.union([z.string(), z.int(), z.null()])),
  }),
  z.strictObject({ do: z.literal('reset-modes') }),
  z.strictObject({ do: z.literal('clock'), offsetMs: z.int().nullable() }),
  z.strictObject({ do: z.literal('pause'), delayMs: z.int().min(1).max(PAUSE_MS_MAX) }),
]);
export type FixtureStep = z.output<typeof FixtureStep>;

/** A file of steps. */
export const Fixtures = z.strictObject({ steps: z.array(FixtureStep).min(1).max(STEPS_MAX) });

/** What a step did: a sentence for people, and the answer of the sandbox. */
export type FixtureResult = Readonly<{ text: string; answer: object | null }>;

type Run = Readonly<{ sandbox: SandboxClient; pause: (delayMs: number) => Promise<void> }>;

/** Runs one step. Throws as the sandbox refuses. */
export async function runStep(step: FixtureStep, { sandbox, pause }: Run): Promise<FixtureResult> {
  switch (step.do) {
    case 'top-up': {
      const { do: _, ...asked } = step;
      const answer = await topUp(sandbox, asked);
      return { text: `${answer.account} has ${answer.balance} ${answer.currency} now`, answer };
    }
    case 'trigger': {
      const { account, overrides } = step;
      const answer = await announce(sandbox, { type: step.event, account, overrides });
      return { text: `${answer.type}, subscriptions that get it: ${answer.subscriptions}`, answer };
    }
    case 'fault': {
      const { do: _, ...rule } = step;
      const answer = await addFault(sandbox, rule);
      return { text: `fault ${answer.id}: ${answer.kind} of ${answer.target}`, answer };
    }
    case 'clear-faults':
      return { text: 'no faults are left', answer: await clearFaults(sandbox) };
    case 'modes': {
      const names = Object.keys(step.set).join(', ');
      return { text: `set: ${names}`, answer: await setModes(sandbox, step.set) };
    }
    case 'reset-modes':
      return { text: 'every mode follows the settings', answer: await replaceModes(sandbox, {}) };
    case 'clock': {
      const answer = await setClock(sandbox, step.offsetMs);
      return { text: `the clock is ${offsetText(answer.offsetMs)}`, answer };
    }
    case 'pause':
      await pause(step.delayMs);
      return { text: `${step.delayMs} ms passed`, answer: null };
  }
}
