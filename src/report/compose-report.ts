import type { BatchRecord } from '../store/batches/types.ts';
import type { EndState } from '../domain/batch/batch-state.ts';
import { NOT_READ } from '../domain/funds/balance-check.ts';
import { feesNow } from '../domain/fees/batch-fees.ts';
import { severityOf } from '../domain/plan/finding.ts';
import { NOTHING_RAISED } from '../domain/plan/rules.ts';
import type { BatchReport, ReportApprovals, ReportedFinding } from '../domain/report/report.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import { readReportVersion, type ReportVersion, revisionOf } from './report-version.ts';
import { readView, shownState } from './batch-view.ts';
import { personNamed } from '../domain/approval/people.ts';
import { policyText } from '../domain/approval/policy-text.ts';
import { questionOfBatch } from '../domain/approval/question.ts';
import { proofOf } from '../domain/approval/check-approval.ts';
import type { Store } from '../store/index.ts';

/** A batch that has ended. */
export type EndedBatch = BatchRecord & Readonly<{ endState: EndState; endedAtMs: number }>;

/** The parts of a report that the store does not hold. */
export type ReportContext = Readonly<{
  chunks: readonly ChunkRecord[];
  workflowId: string;
  accepted: readonly string[];
  /** The version to write. Default: the newest one in the store. */
  version?: ReportVersion;
}>;

/** Composes the report of an ended batch. The same store content gives the same report. */
export async function composeReport(
  store: Store,
  batch: EndedBatch,
  { chunks, workflowId, accepted, version }: ReportContext,
): Promise<BatchReport> {
  const state = batch.endState;
  const view = await readView(store, batch, { chunks, state, workflowId });
  return {
    ...view,
    schema: 'bursar.report/v1',
    state,
    file: { name: batch.fileName, sha256: batch.fileSha256 },
    account: batch.account,
    submittedAt: new Date(batch.submittedAtMs).toISOString(),
    submittedBy: batch.submittedBy,
    endedAt: new Date(batch.endedAtMs).toISOString(),
    revision: revisionOf(version ?? (await readReportVersion(store, batch)), view),
    findings: reportedFindings(batch, accepted),
    accepted,
    approvals: await reportApprovals(store, batch),
    audit: await auditMark(store, batch.batchId),
    holds: await store.holds.all(batch.batchId),
    balance: view.balance ?? NOT_READ,
    refusedRows: batch.summary?.refusedRows ?? 0,
    fees: feesText(batch),
    withdrawals: withdrawalsText(chunks),
    feeQuotes: feeQuotesOf(batch),
    massPayouts: chunks.map((chunk) => ({
      chunk: chunk.chunk,
      massPayoutId: chunk.massPayoutId,
      idempotencyKey: chunk.idempotencyKey,
      state: shownState(chunk),
      currency: chunk.currency,
      rows: chunk.rowCount,
      total: chunk.total,
      fee: chunk.fee,
    })),
  };
}

async function auditMark({ audit }: Store, batchId: string): Promise<BatchReport['audit']> {
  const head = await audit.headOf(batchId);
  return head === undefined ? null : { entries: head.seq, hash: head.hash };
}

const reportedFindings = (
  { findings, rules }: BatchRecord,
  accepted: readonly string[],
): ReportedFinding[] =>
  findings.map((finding) => ({
    ...finding,
    severity: severityOf(finding.code, rules?.findings ?? NOTHING_RAISED),
    accepted: accepted.includes(finding.code),
  }));

function feesText({ fees }: BatchRecord): string {
  if (fees === null) return 'not read: the batch ended before';
  return fees.quotes === null ? 'not available: the service has no fee operation' : 'available';
}

const feeQuotesOf = ({ fees }: BatchRecord): BatchReport['feeQuotes'] =>
  fees === null
    ? null
    : {
        planned: fees.quotes,
        final: feesNow(fees),
        ...(fees.accepted === undefined ? {} : { accepted: fees.accepted.quotes }),
      };

/** UNKNOWN rows of a mass payout show that the service has no lookup of single withdrawals. */
function withdrawalsText(chunks: readonly ChunkRecord[]): string {
  const hasUnknown = chunks.some(({ defaultOutcome }) => defaultOutcome === 'UNKNOWN');
  return hasUnknown ? 'not available for every withdrawal that failed' : 'available';
}

/**
 * Reads the policy of a batch and the decisions of its approvers.
 * It verifies every signature again, and marks those that are not valid.
 */
export async function reportApprovals(
  { approvals }: Readonly<{ approvals: Store['approvals'] }>,
  batch: BatchRecord,
): Promise<ReportApprovals> {
  const policy = batch.rules?.approval ?? null;
  const given = await approvals.list(batch.batchId);
  return {
    policy: policySentences(batch),
    mode: questionOfBatch(batch, null)?.policy.mode ?? null,
    given: given.map(({ approval, atMs }) => {
      const person = policy === null ? undefined : personNamed(policy, approval.person);
      const publicKey = person?.publicKey ?? null;
      const takenAt = new Date(atMs).toISOString();
      return { ...approval, publicKey, proof: proofOf(approval, publicKey), takenAt };
    }),
  };
}

function policySentences({ digest, rules, summary }: BatchRecord): string[] {
  if (digest === null || summary === null)
    return ['The batch has no plan, so it needed no approval.'];
  return policyText(rules?.approval ?? null, summary.currencies);
}
