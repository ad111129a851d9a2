import type { Sources } from './types.ts';
import type { About } from '../engine/link.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { type BatchInput, type BatchOptions, readBatchOptions } from '../../contract/batch.ts';
import { submissionSubject, type SubmissionSubject } from '../../domain/approval/submission.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { code, md, workflowSummary } from '../../domain/text/markdown.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import type { PlanView } from '../file/plan-view.ts';
import { moneyList } from '../../domain/text/money-text.ts';

/** Name of the account in the settings of the workers. */
export const ACCOUNT_REF = 'main';

/** A new batch of the rows of one file. */
export const newBatchInput = (
  plan: PlanView,
  options: BatchOptions,
  submitted: Readonly<{ by: string; atMs: number }>,
): BatchInput => ({
  batchId: plan.batchId,
  accountRef: ACCOUNT_REF,
  file: { name: plan.file.name, sha256: plan.file.sha256 },
  options,
  submittedBy: submitted.by,
  submittedAt: new Date(submitted.atMs).toISOString(),
  generation: 0,
  parentBatchId: null,
});

/** The subject that the submitter of a batch signs. */
export const subjectOfInput = (input: BatchInput): SubmissionSubject =>
  submissionSubject({
    batchId: input.batchId,
    accountRef: input.accountRef,
    fileSha256: input.file.sha256,
    optionsJson: JSON.stringify(input.options),
    generation: input.generation,
    parentBatchId: input.parentBatchId,
  });

/** The input of a batch as it was submitted. Its choices stay, with any flags of a later command. */
export const inputOfRecord = (record: BatchRecord): BatchInput => ({
  batchId: record.batchId,
  accountRef: record.accountRef,
  file: { name: record.fileName, sha256: record.fileSha256 },
  options: readBatchOptions(record.optionsJson),
  submittedBy: record.submittedBy,
  submittedAt: new Date(record.submittedAtMs).toISOString(),
  generation: record.generation,
  parentBatchId: record.parentBatchId,
});

/** The texts that the web page of the workflow shows from its start. */
export function aboutPlan({ file, rows, currencies }: PlanView): About {
  const totals = moneyList(currencies);
  return {
    summary: workflowSummary(`${rowsInWords(rows.accepted)}, ${totals}`),
    details: md`File ${file.name}, ${code(file.sha256)}: ${rowsInWords(rows.total)}, ${totals}`
      .markdown,
  };
}

/** The plan that is asked for, by the name of its file; null: any. */
export type AskedPlan = Readonly<{ name: string; digest: string }> | null;

/**
 * Whether the id stands for this same file already: in the store, or in Temporal where no worker has written it yet.
 * Throws BATCH_ID_TAKEN when it stands for another file, and BATCH_HAS_OTHER_PLAN when it has another plan.
 */
export async function isStartedAlready(
  sources: Sources,
  { batchId, file }: PlanView,
  asked: AskedPlan = null,
): Promise<boolean> {
  const execution = await (await sources.engine()).describe(batchId);
  if (execution === undefined) return false;
  if (execution.fileSha256 !== file.sha256) throw new BursarError('BATCH_ID_TAKEN', { batchId });
  if (asked !== null) refuseOtherDigest(asked, batchId, execution.planDigest);
  return true;
}

/** Refuses to follow a batch that has another plan than the given one. Throws BATCH_HAS_OTHER_PLAN. */
export function refuseOtherPlan(asked: AskedPlan, record: BatchRecord): void {
  const { batchId, digest, endState } = record;
  // A batch that ended before its plan paid nothing, so its result may be shown.
  if (asked === null || (digest === null && endState !== null)) return;
  const { expectedDigest } = inputOfRecord(record).options;
  refuseOtherDigest(asked, batchId, digest ?? expectedDigest?.digest);
}

function refuseOtherDigest(
  asked: NonNullable<AskedPlan>,
  batchId: string,
  digest: string | undefined,
): void {
  if (digest === asked.digest) return;
  throw new BursarError('BATCH_HAS_OTHER_PLAN', {
    batchId,
    plan: asked.name,
    digest: digest ?? 'not known yet',
  });
}
