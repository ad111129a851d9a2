import { showBatch } from '../../app/batches/look.ts';
import { isEndState } from '../../domain/batch/batch-state.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { actingPerson, type KeyFlag } from '../../operations/approval/submitter.ts';
import { type Submitter, submitFile as submitOrder } from '../../operations/batch/submit-file.ts';
import { type Order, type OrderFlags, readOrder } from '../../operations/file/order.ts';
import { refusalsOf } from '../../operations/file/refused-cell.ts';
import { isStdin } from '../../operations/file/source.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { confirm, type Confirmation, paymentLead } from '../../operations/prompts/confirm.ts';
import type { Context } from '../context.ts';
import { exitCodeOf, follow, printStanding } from '../follow/follow.ts';
import { perform } from '../perform.ts';
import { placeLine } from '../place-line.ts';
import { planText } from '../print/plan-text.ts';
import { submitThere } from './submit-at-server.ts';

/** How long a command waits for the batch that it has started. */
export type WaitFlags = Readonly<{ wait?: boolean; detach?: boolean; timeout?: string }>;

export type SubmitFlags = OrderFlags &
  Confirmation &
  WaitFlags &
  KeyFlag &
  Readonly<{
    /** `--no-preflight` makes it false. */
    preflight?: boolean;
  }>;

/**
 * `bursar submit FILE`: checks the file, has the person confirm, starts the batch, and follows it. With `--plan`, it
 * starts that plan or nothing.
 */
export async function submit(flags: SubmitFlags, context: Context): Promise<number> {
  const { exitCode } = await submitFile(flags, context);
  return exitCode;
}

export type Submitted = Readonly<{ batchId: string; exitCode: number }>;

export async function submitFile(flags: SubmitFlags, context: Context): Promise<Submitted> {
  const waiting = readWaiting(flags);
  const batchId =
    context.server === undefined
      ? await submitHere(flags, context)
      : await submitThere(flags, { context, server: context.server });
  const exitCode = waiting.detach
    ? await leaveRunning(batchId, context)
    : await follow({ batchId, timeoutMs: waiting.timeoutMs }, context);
  return { batchId, exitCode };
}

async function submitHere(flags: SubmitFlags, context: Context): Promise<string> {
  const order = await readOrder(flags, context);
  context.say(await placeLine(context));
  const submitter = atTerminal(order, flags, context);
  const preflight = flags.preflight !== false;
  return (await submitOrder({ order, preflight, submitter }, context)).batchId;
}

/** A person who reads the plan, and types its totals. */
const atTerminal = (order: Order, flags: SubmitFlags, context: Context): Submitter => ({
  person: (policy, settings) => actingPerson(flags, policy, { settings, context }),
  refused: (plan, rows) => context.say(planText(plan, refusalsOf(rows), context)),
  async confirm(plan, rows) {
    context.say(planText(plan, refusalsOf(rows), context));
    const mayAsk = context.mayAsk && !(typeof order.file === 'string' && isStdin(order.file));
    const lead = paymentLead(plan.currencies, plan.funds);
    await confirm(plan.currencies, { ...flags, lead }, { ...context, mayAsk });
  },
});

export function readWaiting({ wait, detach, timeout }: WaitFlags) {
  if (wait && detach) throw flagInvalid('--detach', 'cannot be used together with --wait');
  if (detach && timeout !== undefined) {
    throw flagInvalid('--timeout', 'has no effect together with --detach');
  }
  const timeoutMs = timeout === undefined ? null : readDurationMs('--timeout', timeout);
  return { detach: detach ?? false, timeoutMs };
}

/** How long a batch that has come to its end may take to close, in milliseconds. */
const CLOSING_MS_MAX = 10_000;

export async function leaveRunning(batchId: string, context: Context): Promise<number> {
  const standing = await perform(showBatch, { batchId }, context);
  // The reason of a refusal is shown when the workflow has closed, a moment later.
  if (!standing.isOver && isEndState(standing.state)) {
    return follow({ batchId, timeoutMs: CLOSING_MS_MAX }, context);
  }
  printStanding(standing, context);
  if (standing.isOver) return exitCodeOf(standing);
  context.say(`Follow it with: bursar watch ${batchId}`);
  return EXIT.running;
}
