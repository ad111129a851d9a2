import type { ReportDeps } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { ApplicationFailure } from '@temporalio/activity';
import type { ReportActivities, ReportBatchInput } from '../../contract/activities.ts';
import type { BalanceActivities } from '../../contract/balance-activities.ts';
import type { BatchResult } from '../../contract/batch.ts';
import { batchWorkflowId } from '../../contract/names.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { canceledReason, stopReasonOf } from '../../domain/batch/stop-reason.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import type { ErrorCode } from '../../domain/errors/catalogue.ts';
import { type BalanceCheck, isOpenDifference } from '../../domain/funds/balance-check.ts';
import { type Doubts, endStateOf } from '../../domain/report/end-state.ts';
import type { RowCounts } from '../../domain/report/totals.ts';
import type { EndedBatch } from '../../report/compose-report.ts';
import type { EarlyReports } from '../../report/early/early-reports.ts';
import { readTotals } from '../../report/batch-view.ts';
import { writeBatchReport } from '../../report/write-batch-report.ts';
import { atBoundary } from '../shared/boundary.ts';
import { writeAsStored } from './write-as-stored.ts';

/**
 * Further dependencies of a batch's end: it compares the money that left the account with the orders, and goes on from
 * report lines that are written already.
 */
export type EndDeps = ReportDeps &
  Pick<BalanceActivities, 'checkBalance'> &
  Readonly<{ early?: EarlyReports | undefined }>;

/** Closes a batch: gives unsent rows their reason, ties out, writes the report, and only then stores the end. */
export const createReportActivities = (deps: EndDeps): ReportActivities => ({
  reportBatch: (input) => atBoundary(() => reportBatch(deps, input)),
});

async function reportBatch(deps: EndDeps, given: ReportBatchInput): Promise<BatchResult> {
  const { store } = deps;
  const batch = await store.batches.find(given.batchId);
  if (batch === undefined || isOfAnother(given)) return neverRegistered(given);
  const input = await withProvenRefusal(deps, given);
  const unsentReason = input.unsentReason ?? cancelOf(batch, input);
  if (unsentReason !== null) await store.chunks.closeUnsent(batch.batchId, unsentReason);
  const ended = await withEnd(deps, batch, input);
  const workflowId = batchWorkflowId(batch.batchId);
  const target = { places: deps, workflowId, atMs: deps.nowMs(), early: deps.early };
  const { report, url } = await writeBatchReport(store, ended, target);
  await store.batches.end(batch.batchId, {
    state: ended.endState,
    atMs: ended.endedAtMs,
    error: ended.error,
  });
  // A worker that was frozen before it wrote has put an old report in the place of a newer one.
  const known = await store.batches.find(batch.batchId);
  const isNewer = (known?.reportVersion ?? 1) > 1;
  const newerUrl = isNewer ? await writeAsStored(deps, batch.batchId) : null;
  const { state, digest, rows, amounts, error } = report;
  return { state, digest, rows, amounts, reportUrl: newerUrl ?? url, error };
}

/**
 * A refusal is a statement in the store, and its words are those that a person signed. Example: a rogue workflow ends a
 * batch with REFUSED_BY_APPROVER and "carol refused it: fraud". Carol signed nothing, so the batch ends with
 * REFUSAL_UNPROVEN, and the words about carol are dropped.
 */
async function withProvenRefusal(
  deps: ReportDeps,
  input: ReportBatchInput,
): Promise<ReportBatchInput> {
  const { batchId, error } = input;
  if (error?.code !== 'REFUSED_BY_APPROVER') return input;
  const refusal = await findRefusal(deps, batchId);
  if (refusal === undefined) {
    const unproven = noteOf('REFUSAL_UNPROVEN', { batchId });
    return { ...input, error: unproven, unsentReason: unproven.what };
  }
  const refused = { by: refusal.person, reason: refusal.reason };
  return {
    ...input,
    error: noteOf('REFUSED_BY_APPROVER', refused),
    unsentReason: stopReasonOf({ canceled: null, refused, halted: null }),
  };
}

/** The refusal of the plan, or of one of its holds, by a person who may refuse. */
async function findRefusal(
  { store, nowMs }: ReportDeps,
  batchId: string,
): Promise<Approval | undefined> {
  for (const hold of [null, ...(await store.holds.all(batchId))]) {
    const standing = await store.approvals.standing(batchId, { hold, atMs: nowMs() });
    const [refusal] = standing?.refusals ?? [];
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** A report that is written again keeps the end that was written down first. */
async function withEnd(
  deps: EndDeps,
  batch: BatchRecord,
  input: ReportBatchInput,
): Promise<EndedBatch> {
  const { store, nowMs } = deps;
  if (batch.endState !== null) {
    return { ...batch, endState: batch.endState, endedAtMs: batch.endedAtMs ?? nowMs() };
  }
  const chunks = await store.chunks.list(batch.batchId);
  const ending = { ...batch, error: input.error, endedAtMs: nowMs(), endState: 'FAILED' as const };
  const { rows } = await readTotals(store, ending, chunks);
  const isTwice = chunks.some(({ otherPayouts }) => otherPayouts.length > 0);
  const balance = isUnsent(rows) || isOpen(rows) ? undefined : await comparedBalance(deps, batch);
  return { ...ending, endState: endOf(ending, { rows, isTwice, balance }, input) };
}

function endOf(
  batch: BatchRecord,
  { rows, ...doubts }: Readonly<{ rows: RowCounts }> & Doubts,
  { canceled, error }: ReportBatchInput,
): EndState {
  // Without a plan nothing could be sent: the file, or the id, was refused.
  if (batch.digest === null) return canceled ? 'CANCELED' : 'REJECTED';
  // An error that a caller names must not hide rows that were sent.
  if (error !== null && isUnsent(rows)) {
    if (isRefusal(error.code)) return canceled ? 'CANCELED' : 'REJECTED';
    if (error.code === 'REFUSED_BY_APPROVER') return 'REFUSED';
  }
  const open = rows.inFlight + (rows.notSentYet ?? 0);
  if (open > 0) {
    throw new BursarError('TIE_OUT_BROKEN', {
      batchId: batch.batchId,
      difference: `${open} rows are still open`,
    });
  }
  return endStateOf(rows, canceled || cancelOf(batch, { error }) !== null, doubts);
}

/**
 * The result of the balance. A batch whose balance was not compared is compared now, since a caller can leave that step
 * out: a difference keeps the batch from its end until a later read explains it, or a person accepts it.
 */
async function comparedBalance(
  { store, checkBalance }: EndDeps,
  { batchId }: BatchRecord,
): Promise<BalanceCheck | undefined> {
  const check = (await store.balances.find(batchId))?.check ?? null;
  if (check !== null && !isOpenDifference(check)) return check;
  const checked = await checkBalance({ batchId, isPatient: false });
  if (checked.kind === 'held') {
    const { reason } = checked.hold;
    throw ApplicationFailure.create({ type: 'BALANCE_DIFFERS', message: reason });
  }
  return (await store.balances.find(batchId))?.check ?? undefined;
}

const isOpen = ({ inFlight, notSentYet = 0 }: RowCounts): boolean => inFlight + notSentYet > 0;

/** Whether no row was sent. */
const isUnsent = ({ paid, failed, unknown, inFlight }: RowCounts): boolean =>
  paid + failed + unknown + inFlight === 0;

/**
 * Why nothing more of a canceled batch is sent; null when it was not canceled, or ended for an error. The workflow may not
 * have received a cancel that the command line wrote to the store.
 */
const cancelOf = (
  { canceled }: BatchRecord,
  { error }: Pick<ReportBatchInput, 'error'>,
): string | null => (canceled === null || error !== null ? null : canceledReason(canceled));

/** The id belongs to a batch that was submitted before; that one is not ours to end. */
const isOfAnother = ({ error }: ReportBatchInput): boolean =>
  error?.code === 'BATCH_ID_TAKEN' || error?.code === 'BATCH_ENDED';

/** Refusals after a plan was made, before anything was sent. */
const REFUSALS: readonly string[] = [
  'FINDINGS_BLOCK',
  'FINDINGS_NOT_ACCEPTED',
  'SAME_FILE_AGAIN',
  'APPROVAL_IMPOSSIBLE',
  'RESEND_OUTDATED',
  'RESEND_UNREAD',
] satisfies ErrorCode[];

const isRefusal = (code: string): boolean => REFUSALS.includes(code);

/** A batch that was refused before it was written down has no rows and no folder of its own. */
const neverRegistered = ({ error }: ReportBatchInput): BatchResult => ({
  state: 'REJECTED',
  digest: null,
  rows: { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
  amounts: [],
  reportUrl: null,
  error,
});
