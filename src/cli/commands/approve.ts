import { approvalQuestion, decideBatch } from '../../app/batches/approvals.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import type {
  ApprovalQuestion,
  DecideResult,
  ApprovalVerdict,
} from '../../operations/approval/approval-question.ts';
import { decide, type Signer, signerOf } from '../../operations/approval/signer.ts';
import { actorOf } from '../../operations/batch/actor.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { readReason } from '../../operations/input/reason.ts';
import { confirm } from '../../operations/prompts/confirm.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { placeLine } from '../place-line.ts';
import { questionText } from '../print/approval-text.ts';
import { printResult } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';

type DecisionFlags = Readonly<{
  batch: string;
  key?: string;
  passphraseFile?: string;
  as?: string;
  reason?: string;
  confirm?: string;
}>;

/** `bursar approve BATCH`: shows the subject, has the person confirm it, signs on this machine, and sends. */
export const approve = (flags: DecisionFlags, context: Context): Promise<number> =>
  decideOn('approve', flags, context);

/** `bursar refuse BATCH`: one refusal of an approver stops a batch. */
export const refuse = (flags: DecisionFlags, context: Context): Promise<number> =>
  decideOn('refuse', flags, context);

async function decideOn(
  verdict: ApprovalVerdict,
  flags: DecisionFlags,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const reason = flags.reason === undefined ? '' : readReason(flags.reason);
  context.say(await placeLine(context));
  const open = await perform(approvalQuestion, { batchId, verdict, as: flags.as ?? null }, context);
  const { question } = open;
  const actor = actorOf(await loadSettings(context), context);
  const signer = await signerOf(flags, question, { ...context, actor });
  const worded = () =>
    decide(question, signer, { decision: verdict, reason, nowMs: context.clock.nowMs() });
  // An approval that cannot count is refused before a person types anything.
  await perform(decideBatch, { batchId, verdict, approval: worded(), dryRun: true }, context);
  if (verdict === 'approve') await showAndConfirm(open, { signer, flags }, context);
  const given = { batchId, verdict, approval: worded(), dryRun: false };
  printDecision(await perform(decideBatch, given, context), context);
  return EXIT.done;
}

/** Throws APPROVAL_UNCONFIRMED, CONFIRMATION_WRONG, PERSON_SAID_NO. */
async function showAndConfirm(
  open: ApprovalQuestion,
  { signer, flags }: Readonly<{ signer: Signer; flags: DecisionFlags }>,
  context: Context,
): Promise<void> {
  const { totals } = open.question;
  context.say(questionText(open, context));
  if (flags.confirm === undefined && !context.mayAsk) {
    throw new BursarError('APPROVAL_UNCONFIRMED', { expected: totalsText(totals) });
  }
  const given = flags.confirm === undefined ? {} : { confirm: flags.confirm };
  await confirm(totals, { ...given, wish: `approve this as ${printable(signer.person)}` }, context);
}

function printDecision(result: DecideResult, context: Context): void {
  const { person, decision, batchId, missing } = result;
  const rest = missing.length === 0 ? [] : [`Still needed: ${missing.map(printable).join('; ')}.`];
  printResult(context, {
    json: result,
    text: [
      `${person} ${decision}d batch ${batchId}.`,
      ...rest,
      `Follow it with: bursar watch ${batchId}`,
    ].join('\n'),
  });
}
