import { planResend, resendBatch as startResend } from '../../app/batches/submit.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { actingPerson, type KeyFlag, signHere } from '../../operations/approval/submitter.ts';
import {
  type Resender,
  type ResendWish,
  resendBatch,
  type StartedResend,
} from '../../operations/batch/resend-batch.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { type BatchFlags, readBatchChoices } from '../../operations/input/batch-choices.ts';
import {
  confirm,
  type Confirmation,
  paymentLead,
  stateNoResend,
} from '../../operations/prompts/confirm.ts';
import type { Context } from '../context.ts';
import { follow } from '../follow/follow.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { placeLine } from '../place-line.ts';
import { resendText } from '../print/resend-text.ts';
import { leaveRunning, readWaiting, type WaitFlags } from './submit.ts';

type ResendFlags = BatchFlags &
  Confirmation &
  WaitFlags &
  KeyFlag &
  Readonly<{
    batch: string;
    confirmNotPaidElsewhere?: boolean;
    /** The former name of the flag above. */
    nothingResentElsewhere?: boolean;
    dryRun?: boolean;
  }>;

/** `bursar resend BATCH`: pays the provably failed rows again, in a new batch. */
export async function resend(flags: ResendFlags, context: Context): Promise<number> {
  const parentBatchId = readBatchId(flags.batch);
  const choices = {
    ...readBatchChoices(flags, context.clock.nowMs()),
    fundsChosen: flags.funds !== undefined,
  };
  const waiting = readWaiting(flags);
  if (flags.dryRun) {
    const plan = await perform(planResend, { parentBatchId, choices }, context);
    printResult(context, { json: plan, text: resendText(plan, plan, context) });
    return EXIT.done;
  }
  const resender = atTerminal(flags, context);
  const wish = { parentBatchId, choices };
  const { batchId } =
    context.server === undefined
      ? await resendBatch({ ...wish, resender }, context)
      : await resendThere(wish, { resender, flags }, context);
  return waiting.detach
    ? leaveRunning(batchId, context)
    : follow({ batchId, timeoutMs: waiting.timeoutMs }, context);
}

const STATED = { nothingResentElsewhere: true } as const;

/** {@link resendBatch} at a server. The statement of the person is signed on this machine. */
async function resendThere(
  wish: ResendWish,
  { resender, flags }: Readonly<{ resender: Resender; flags: KeyFlag }>,
  context: Context,
): Promise<StartedResend> {
  const plan = await perform(planResend, wish, context);
  const reason = await resender.state(plan);
  await resender.confirm(plan);
  const settings = await loadSettings(context);
  const question = { ...plan.submission, ...plan.signing };
  const signed = await signHere(question, { ...flags, reason }, { settings, context });
  const confirmed = plan.currencies.map(({ currency, total }) => ({ currency, total }));
  return perform(
    startResend,
    { ...wish, subject: plan.submission.subject, confirm: confirmed, ...STATED, ...signed },
    context,
  );
}

/** A person who reads the rows, states that nothing was sent again elsewhere, and types the totals. */
const atTerminal = (flags: ResendFlags, context: Context): Resender => ({
  async state(plan) {
    context.say(await placeLine(context));
    context.say(resendText(plan, plan, context));
    const { confirmNotPaidElsewhere = false, nothingResentElsewhere = false } = flags;
    return stateNoResend(confirmNotPaidElsewhere || nothingResentElsewhere, context);
  },
  confirm: ({ currencies }) =>
    confirm(currencies, { ...flags, lead: paymentLead(currencies, null) }, context),
  person: (policy, settings) => actingPerson(flags, policy, { settings, context }),
});
