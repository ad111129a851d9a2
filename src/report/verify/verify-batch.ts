import type { VerificationState } from './verification-state.ts';
import { CHAIN_START } from '../../domain/audit/chain.ts';
import type {
  QuotedMark,
  Verification,
  VerificationResult,
} from '../../domain/audit/verification.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { checkApprovals } from './check-approvals.ts';
import { type ContentsDeps, checkContents } from './check-contents.ts';
import { checkLog } from './check-log.ts';
import { checkRecords } from './check-records.ts';
import { markOf, readReport } from './check-report.ts';
import { createProblems, type Problems } from './problems.ts';

export type VerifyInput = Readonly<{
  batchId: string;
  /** The folder of its report. */
  reportDir: string;
  /** An audit mark that a person kept elsewhere; null: none. */
  head: QuotedMark | null;
}>;

/**
 * Verifies all stored data of a batch: the log, each record against the log, the file, the rows,
 * the
 * plan, the totals and the report. It calls neither Temporal nor the service.
 * Memory does not grow with the rows. For an open batch, pass a snapshot of the store, because
 * records and log change together.
 * @throws BATCH_NOT_FOUND.
 */
export async function verifyBatch(deps: ContentsDeps, input: VerifyInput): Promise<Verification> {
  const problems = createProblems();
  const found: VerificationState = {
    state: null,
    head: CHAIN_START,
    isComplete: true,
    isPruned: false,
    checked: [],
    unchecked: [],
  };
  const report = await readReport(input.reportDir);
  const quoted = [...markOf(report), ...(input.head === null ? [] : [input.head])];
  const bad = await deps.store.badText(input.batchId);
  if (bad === undefined) await checkAll(deps, { ...input, quoted, report, found }, problems);
  else problems.add('TEXT_UNREADABLE', bad);
  const { state, head, checked, unchecked } = found;
  return {
    schema: 'bursar.verification/v1',
    batchId: input.batchId,
    result: resultOf(problems, found),
    state,
    head: { entries: head.seq, hash: head.hash },
    quoted,
    checked,
    unchecked,
    problems: problems.listed(),
    problemCount: problems.count(),
  };
}

type VerifyRun = VerifyInput &
  Readonly<{
    quoted: readonly QuotedMark[];
    report: Awaited<ReturnType<typeof readReport>>;
    found: VerificationState;
  }>;

async function checkAll(deps: ContentsDeps, run: VerifyRun, problems: Problems): Promise<void> {
  const { batchId, found } = run;
  const log = await checkLog(deps.store, run, problems);
  found.head = log.head;
  found.isComplete = log.isComplete;
  found.isPruned = log.isPruned;
  found.checked.push({ what: 'entries of the audit log', count: log.all });
  found.checked.push({ what: 'entries about this batch', count: log.entries });
  const checking = {
    batchId,
    ledger: log.ledger,
    isComplete: log.isComplete,
    isPruned: log.isPruned,
  };
  await problems.during('the records', async () => {
    const kinds = await checkRecords(deps.store, checking, problems);
    for (const [kind, count] of Object.entries(kinds)) {
      found.checked.push({ what: RECORDS[kind] ?? kind, count });
    }
  });
  // The log may have entries for an id without a batch: a refused command, or an early hold.
  // A removed batch is already a problem here, because the log has its record.
  if (problems.count() === 0 && !(await deps.store.records.hasBatch(batchId))) {
    throw new BursarError('BATCH_NOT_FOUND', { batchId });
  }
  if (!log.isComplete) found.unchecked.push(OLDER);
  if (log.isPruned) found.unchecked.push(PRUNED);
  await problems.during('the batch', async () => {
    const batch = await deps.store.batches.find(batchId);
    if (batch === undefined) return;
    found.state = batch.endState;
    await checkContents(deps, { ...run, batch, log }, problems);
  });
  const { olderNotes } = log;
  await problems.during('the approvals', () =>
    checkApprovals(deps.store, { ...run, olderNotes }, problems),
  );
}

/** Names of the kinds of records, for people. */
const RECORDS: Readonly<Record<string, string>> = {
  batch: 'records of the batch',
  reading: 'imports of its file',
  approval: 'approvals and refusals',
  hold: 'holds',
  chunk: 'chunks',
  intent: 'payloads of create requests',
  attempt: 'attempts',
  lookup: 'lookups of keys',
  change: 'changes after its report',
  version: 'later versions of its report',
};

const OLDER =
  'The batch began before the audit log covered every record. The records without an entry could not be compared.';

const PRUNED =
  'Its rows, payloads and files were removed by a prune. The audit log has their digests.';

function resultOf(
  problems: Problems,
  { isComplete, isPruned }: VerificationState,
): VerificationResult {
  if (problems.count('BATCH_NOT_APPROVED') < problems.count()) return 'TAMPERED';
  if (problems.count() > 0) return 'NOT_APPROVED';
  if (!isComplete) return 'OLDER';
  return isPruned ? 'PRUNED' : 'PROVEN';
}
