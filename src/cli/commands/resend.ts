import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { actingPerson, type KeyFlag } from '../../operations/approval/submitter.ts';
import { planResendOf, type Resender, resendBatch } from '../../operations/batch/resend-batch.ts';
import { type BatchFlags, readBatchChoices } from '../../operations/input/batch-choices.ts';
import {
  confirm,
  type Confirmation,
  paymentLead,
  stateNoResend,
} from '../../operations/prompts/confirm.ts';
import type { Context } from '../context.ts';
import { follow } from '../follow/follow.ts';
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
    const plan = await planResendOf({ parentBatchId, choices }, context);
    printResult(context, { json: plan, text: resendText(plan, plan, context) });
    return EXIT.done;
  }
  const resender = atTerminal(flags, context);
  const { batchId } = await resendBatch({ parentBatchId, choices, resender }, context);
  return waiting.detach
    ? leaveRunning(batchId, context)
    : follow({ batchId, timeoutMs: waiting.timeoutMs }, context);
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
