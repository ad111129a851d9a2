import type { Sources } from '../../operations/batch/types.ts';
import type { Question } from '../../domain/approval/question.ts';
import { approvalFault } from '../../domain/approval/check-approval.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError, type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import { type OpenQuestion, readQuestion } from '../../operations/approval/open-question.ts';
import { decide, type Signer, signerOf } from '../../operations/approval/signer.ts';
import { actorOf } from '../../operations/batch/actor.ts';
import { onRecord, recordRefusal, type Try } from '../../operations/batch/on-record.ts';
import { withSources } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { confirm } from '../../operations/prompts/confirm.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readReason } from '../../operations/input/reason.ts';
import { questionText } from '../print/approval-text.ts';
import { printError } from '../print/error.ts';
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

type Decision = 'approve' | 'refuse';

/** `bursar approve BATCH`: shows the subject, has the person confirm it, signs on this machine, and sends. */
export const approve = (flags: DecisionFlags, context: Context): Promise<number> =>
  decideOn('approve', flags, context);

/** `bursar refuse BATCH`: one refusal of an approver stops a batch. */
export const refuse = (flags: DecisionFlags, context: Context): Promise<number> =>
  decideOn('refuse', flags, context);

async function decideOn(
  decision: Decision,
  flags: DecisionFlags,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const reason = flags.reason === undefined ? '' : readReason(flags.reason);
  return withSources(context, async (sources) => {
    const place = { sources, context };
    const tried = (person: string | null): Try => ({
      action: decision,
      batchId,
      detail: { person },
    });
    const asked = tried(flags.as ?? null);
    const open = await onRecord(asked, place, () => readQuestion(sources, batchId));
    const { question } = open;
    if (question === null) return refuseTry(asked, noteOf('APPROVAL_NOT_NEEDED', {}), place);
    const actor = actorOf(sources.settings, context);
    const signer = await signerOf(flags, question, { ...context, actor });
    const worded = (): Approval =>
      decide(question, signer, { decision, reason, nowMs: context.clock.nowMs() });
    const standpoint = { given: open.given, nowMs: context.clock.nowMs() };
    const early = approvalFault(worded(), question, standpoint);
    if (early !== null) return refuseTry(tried(signer.person), early, place);
    if (decision === 'approve') await showAndConfirm(open, { question, signer, flags }, context);
    const approval = worded();
    const note = await (await sources.engine()).approve(batchId, { approval, by: actor });
    if (note !== null) {
      // Whom it refuses while it runs, the batch writes down itself.
      if (note.code === 'BATCH_ENDED') return refuseTry(tried(signer.person), note, place);
      printError(context, note);
      return exitCodeOfError(note);
    }
    await tell(approval, sources, context);
    return EXIT.done;
  });
}

/** A refused try to let money go is written to the audit log. */
async function refuseTry(
  tried: Try,
  note: ErrorNote,
  { sources, context }: Readonly<{ sources: Sources; context: Context }>,
): Promise<number> {
  await recordRefusal(tried, note, { sources, context });
  printError(context, note);
  return exitCodeOfError(note);
}

type Asking = Readonly<{ question: Question; signer: Signer; flags: DecisionFlags }>;

/** Throws APPROVAL_UNCONFIRMED, CONFIRMATION_WRONG, PERSON_SAID_NO. */
async function showAndConfirm(
  open: OpenQuestion,
  { question, signer, flags }: Asking,
  context: Context,
): Promise<void> {
  const { totals } = question;
  context.say(questionText(open, question, context));
  if (flags.confirm === undefined && !context.mayAsk) {
    throw new BursarError('APPROVAL_UNCONFIRMED', { expected: totalsText(totals) });
  }
  const given = flags.confirm === undefined ? {} : { confirm: flags.confirm };
  await confirm(totals, { ...given, wish: `approve this as ${printable(signer.person)}` }, context);
}

async function tell(approval: Approval, sources: Sources, context: Context): Promise<void> {
  const { signature, ...statement } = approval;
  const { batchId, decision, person } = statement;
  const status = await (await sources.engine()).status(batchId);
  const missing = decision === 'approve' ? (status?.approval?.missing ?? []) : [];
  const rest = missing.length === 0 ? [] : [`Still missing: ${missing.map(printable).join('; ')}.`];
  printResult(context, {
    json: { schema: 'bursar.approval/v1', ...statement, signed: signature !== null, missing },
    text: [
      `${person} ${decision}d batch ${batchId}.`,
      ...rest,
      `Follow it with: bursar watch ${batchId}`,
    ].join('\n'),
  });
}
