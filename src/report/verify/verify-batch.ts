import type { VerifyProgress } from './types.ts';
import { CHAIN_START } from '../../domain/audit/chain.ts';
import type {
  QuotedMark,
  Verification,
  VerificationResult,
} from '../../domain/audit/verification.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';
import { checkApprovals } from './check-approvals.ts';
import { type ContentsDeps, checkContents } from './check-contents.ts';
import { checkLog } from './check-log.ts';
import { checkRecords } from './check-records.ts';
import { markOf, readReport } from './check-report.ts';
import { createProblems, type Problems } from './problems.ts';

export type VerifyDeps = ContentsDeps & Readonly<{ store: Store }>;

export type ToVerify = Readonly<{
  batchId: string;
  /** Folder of its report. */
  reportDir: string;
  /** An entry of the log that somebody kept; null: none. */
  head: QuotedMark | null;
}>;

/**
 * Looks through everything that is written down of a batch: the log, each record against the log, the file, the rows, the
 * plan, the tie-out, the report. Asks neither Temporal nor the service. Memory does not grow with the rows. Of a batch that is
 * under way a snapshot must be read, as records and log change together. Throws BATCH_NOT_FOUND.
 */
export async function verifyBatch(deps: VerifyDeps, asked: ToVerify): Promise<Verification> {
  const problems = createProblems();
  const found: VerifyProgress = {
    state: null,
    head: CHAIN_START,
    isComplete: true,
    checked: [],
    unchecked: [],
  };
  const report = await readReport(asked.reportDir);
  const quoted = [...markOf(report), ...(asked.head === null ? [] : [asked.head])];
  const bad = await deps.store.badText(asked.batchId);
  if (bad === undefined) await lookThrough(deps, { ...asked, quoted, report, found }, problems);
  else problems.add('TEXT_UNREADABLE', bad);
  const { state, head, isComplete, checked, unchecked } = found;
  return {
    schema: 'bursar.verification/v1',
    batchId: asked.batchId,
    result: resultOf(problems, isComplete),
    state,
    head: { entries: head.seq, hash: head.hash },
    quoted,
    checked,
    unchecked,
    problems: problems.listed(),
    problemCount: problems.count(),
  };
}

type Look = ToVerify &
  Readonly<{
    quoted: readonly QuotedMark[];
    report: Awaited<ReturnType<typeof readReport>>;
    found: VerifyProgress;
  }>;

async function lookThrough(deps: VerifyDeps, look: Look, problems: Problems): Promise<void> {
  const { batchId, found } = look;
  const log = await checkLog(deps.store, look, problems);
  found.head = log.head;
  found.isComplete = log.isComplete;
  found.checked.push({ what: 'entries of the audit log', count: log.head.seq });
  found.checked.push({ what: 'entries about this batch', count: log.entries });
  const checking = { batchId, ledger: log.ledger, isComplete: log.isComplete };
  await problems.during('the records', async () => {
    const kinds = await checkRecords(deps.store, checking, problems);
    for (const [kind, count] of Object.entries(kinds)) {
      found.checked.push({ what: RECORDS[kind] ?? kind, count });
    }
  });
  // Entries about an id are no batch. A command may have been refused, or a hold put before the batch was read. A batch that
  // somebody removed is a problem by now, since the log has its record.
  if (problems.count() === 0 && !(await deps.store.records.hasBatch(batchId))) {
    throw new BursarError('BATCH_NOT_FOUND', { batchId });
  }
  if (!log.isComplete) found.unchecked.push(OLDER);
  await problems.during('the batch', async () => {
    const batch = await deps.store.batches.find(batchId);
    if (batch === undefined) return;
    found.state = batch.endState;
    await checkContents(deps, { ...look, batch, log }, problems);
  });
  const { olderNotes } = log;
  await problems.during('the approvals', () =>
    checkApprovals(deps.store, { ...look, olderNotes }, problems),
  );
}

/** Kinds of records, as people call them. */
const RECORDS: Readonly<Record<string, string>> = {
  batch: 'records of the batch',
  reading: 'readings of its file',
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
  'The batch began before the audit log told of every record: those that it does not tell of could not be held against it.';

function resultOf(problems: Problems, isComplete: boolean): VerificationResult {
  if (problems.count('BATCH_NOT_APPROVED') < problems.count()) return 'TAMPERED';
  if (problems.count() > 0) return 'NOT_APPROVED';
  return isComplete ? 'PROVEN' : 'OLDER';
}
