import type { BatchOptions } from '../../contract/batch.ts';
import { approvalFault } from '../../domain/approval/check-approval.ts';
import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import type { Question } from '../../domain/approval/question.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import type { Approval, ApprovalStatement } from '../../domain/approval/statement.ts';
import { BursarError, errorOfNote } from '../../domain/errors/bursar-error.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { NOTHING_RAISED } from '../../domain/plan/rules.ts';
import { type FileForm, PLAIN_FORM } from '../../domain/rows/file-form.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { actorOf } from '../batch/actor.ts';
import { onRecord, recordRefusal, type Try } from '../batch/on-record.ts';
import { withSources } from '../batch/sources.ts';
import { statementViews, type StatementView } from '../batch/standing-view.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { type FindingView, findingView } from '../file/finding-view.ts';
import { type OpenQuestion, readQuestion } from './open-question.ts';
import { refuseUnsigned } from './submitter.ts';

export type ApprovalVerdict = 'approve' | 'refuse';

/** The plan of a batch that waits for approvals. Instants are ISO 8601 in UTC, amounts are text. */
export type QuestionedPlan = Readonly<{
  digest: string | null;
  file: string;
  fileSha256: string;
  submittedBy: string;
  submittedAt: string;
  currencies: readonly Readonly<{ currency: string; rows: number; total: string }>[];
  refusedRows: number;
  /** The sheet that was read; null: the file is no workbook. */
  sheet: string | null;
  /** The statements of the submitter about the form of the file. */
  form: FileForm;
  /** The currency of rows that name none; null: each names its own. */
  currency: string | null;
  /** The fees as the service quoted them. */
  fees: readonly Readonly<{ currency: string; fee: string }>[];
  at: string | null;
  executionDate: string | null;
  findings: readonly FindingView[];
}>;

/** Everything that an approver should see before they sign. */
export type ApprovalQuestion = Readonly<{
  schema: 'bursar.approval-question/v1';
  batchId: string;
  question: Question;
  plan: QuestionedPlan;
  /** The hold that the question is about; null: it is about the plan. */
  hold: Hold | null;
  /** Whether the account will hold enough, in a sentence; null before the balance was read. */
  outlook: string | null;
  /** The approvals that count. */
  approvals: readonly ApprovalStatement[];
  /** All answers so far, each with why it does not count. */
  given: readonly StatementView[];
  /** Who must still sign, in sentences. */
  missing: readonly string[];
  /** The same, as counts and names. */
  gaps: readonly ApprovalGap[];
}>;

/** `as`: the name of the person who will decide; the audit log has it where the question is refused. */
export type AskChoices = Readonly<{
  batchId: string;
  verdict: ApprovalVerdict;
  as?: string | null;
}>;

/** The question that a batch puts to its approvers. @throws APPROVAL_NOT_NEEDED, and what `readQuestion` throws */
export const approvalQuestion = (
  { batchId, verdict, as: person = null }: AskChoices,
  context: OperationContext,
): Promise<ApprovalQuestion> =>
  withSources(context, async (sources) => {
    const tried: Try = { action: verdict, batchId, detail: { person } };
    return onRecord(tried, { sources, context }, async () =>
      questionView(await asked(sources, batchId), context.clock.nowMs()),
    );
  });

type Asked = OpenQuestion & Readonly<{ question: Question }>;

async function asked(sources: Sources, batchId: string): Promise<Asked> {
  const { question, ...rest } = await readQuestion(sources, batchId);
  if (question === null) throw new BursarError('APPROVAL_NOT_NEEDED', {});
  return { ...rest, question };
}

function questionView(
  { record, question, hold, outlook, given }: Asked,
  nowMs: number,
): ApprovalQuestion {
  const { approvals, missing, gaps } = standingOf(question, given, nowMs);
  return {
    schema: 'bursar.approval-question/v1',
    batchId: record.batchId,
    question,
    plan: questionedPlan(record),
    hold: question.subject === record.digest ? null : hold,
    outlook,
    approvals: approvals.map(({ signature: _signature, ...statement }) => statement),
    given: statementViews(question, { given, digest: record.digest, atMs: nowMs }),
    missing,
    gaps,
  };
}

function questionedPlan(record: BatchRecord): QuestionedPlan {
  const { digest, summary, fees, fileName, fileSha256, submittedBy, submittedAtMs } = record;
  const { accept, at, executionDate, ...options } = JSON.parse(record.optionsJson) as BatchOptions;
  const raised = record.rules?.findings ?? NOTHING_RAISED;
  return {
    digest,
    file: fileName,
    fileSha256,
    submittedBy,
    submittedAt: new Date(submittedAtMs).toISOString(),
    currencies: (summary?.currencies ?? []).map(({ currency, rows, total }) => ({
      currency,
      rows,
      total,
    })),
    refusedRows: summary?.refusedRows ?? 0,
    sheet: summary?.sheet ?? null,
    form: options.form ?? PLAIN_FORM,
    currency: options.currency ?? null,
    fees: (fees?.quotes ?? []).map(({ currency, fee }) => ({ currency, fee })),
    at: at ?? null,
    executionDate: executionDate ?? null,
    findings: record.findings.map((finding) => findingView(finding, { accept, raised })),
  };
}

/** `approval`: the decision, signed where the policy counts signatures. `dryRun`: only check it, and send nothing. */
export type DecideChoices = Readonly<{
  batchId: string;
  verdict: ApprovalVerdict;
  approval: Approval;
  dryRun: boolean;
}>;

export type DecideResult = ApprovalStatement &
  Readonly<{
    schema: 'bursar.approval/v1';
    signed: boolean;
    /** Who must still sign, in sentences; empty: the batch goes on. */
    missing: readonly string[];
  }>;

/**
 * Sends a decision to a batch that waits for it. A refused decision is in the audit log. @throws the refusal, as
 * `approvalFault` has it
 */
export const decideBatch = (
  choices: DecideChoices,
  context: OperationContext,
): Promise<DecideResult> =>
  withSources(context, async (sources) => {
    const { batchId, verdict, approval, dryRun } = choices;
    const tried: Try = { action: verdict, batchId, detail: { person: approval.person } };
    const checked = await onRecord(tried, { sources, context }, async () => {
      const open = await asked(sources, batchId);
      const { question, given } = open;
      const nowMs = context.clock.nowMs();
      const fault = approvalFault(approval, question, { given, nowMs });
      if (fault !== null) throw errorOfNote(fault);
      refuseUnsigned(approval, context);
      return standingOf(question, given, nowMs);
    });
    if (!dryRun) await send(choices, { sources, tried }, context);
    const { signature, ...statement } = approval;
    const missing = dryRun ? checked.missing : await missingNow(choices, sources);
    return { schema: 'bursar.approval/v1', ...statement, signed: signature !== null, missing };
  });

async function send(
  { batchId, approval }: DecideChoices,
  { sources, tried }: Readonly<{ sources: Sources; tried: Try }>,
  context: OperationContext,
): Promise<void> {
  const by = actorOf(sources.settings, context);
  const refusal = await (await sources.engine()).approve(batchId, { approval, by });
  if (refusal === null) return;
  // A running batch stores its refusals itself.
  if (refusal.code === 'BATCH_ENDED') await recordRefusal(tried, refusal, { sources, context });
  throw errorOfNote(refusal);
}

async function missingNow(
  { batchId, verdict }: DecideChoices,
  { engine }: Sources,
): Promise<readonly string[]> {
  if (verdict === 'refuse') return [];
  return (await (await engine()).status(batchId))?.approval?.missing ?? [];
}
