import type { Sources } from '../batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { BatchStatus } from '../../contract/status.ts';
import { type Question, questionOfBatch } from '../../domain/approval/question.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { askedHoldOf, type Hold } from '../../domain/holds/hold.ts';
import { findRecord } from '../batch/find-record.ts';
import type { Engine } from '../engine/engine.ts';

/** The subject that a batch puts before its approvers now, and the answers so far. */
export type OpenQuestion = Readonly<{
  record: BatchRecord;
  /** null: nothing waits for an approval. */
  question: Question | null;
  /** The open hold of the batch. */
  hold: Hold | null;
  /** Whether the account will hold enough; null before the balance was read. */
  outlook: string | null;
  given: readonly Approval[];
}>;

/**
 * Reads the decision that a running batch waits for. The subject follows from the plan in the store and the hold of the
 * batch. So a person never signs a subject that comes from another program. Throws BATCH_NOT_FOUND, BATCH_ENDED,
 * WORKER_SILENT, APPROVAL_FOR_ANOTHER.
 */
export async function readQuestion(sources: Sources, batchId: string): Promise<OpenQuestion> {
  const record = await findRecord(sources, batchId);
  if (record.endState !== null) {
    throw new BursarError('BATCH_ENDED', { batchId, state: record.endState });
  }
  const status = await statusInTime(await sources.engine(), batchId);
  if (status === undefined) throw new BursarError('WORKER_SILENT', sources.settings.temporal);
  const hold = holdIn(status);
  const question = questionFrom(record, status);
  const given = (await sources.store.approvals.list(batchId))
    .map(({ approval }) => approval)
    .filter(({ subject }) => subject === question?.subject);
  return { record, question, hold, outlook: status.outlook ?? null, given };
}

/** Queries to a batch, each of two seconds at most: Temporal waits ten seconds for a worker that has just died. */
const ASKED_MAX = 6;

async function statusInTime(engine: Engine, batchId: string): Promise<BatchStatus | undefined> {
  for (let asked = 1; ; asked += 1) {
    const status = await engine.status(batchId);
    if (status !== undefined || asked === ASKED_MAX || !(await engine.hasWorker())) return status;
  }
}

const holdIn = ({ holds, canceledBy }: BatchStatus): Hold | null =>
  askedHoldOf(holds, canceledBy !== null);

function questionFrom(record: BatchRecord, status: BatchStatus): Question | null {
  if (!status.approval) return null;
  const question = questionOfBatch(record, holdIn(status));
  const expected = status.approval.subject;
  if (question === null || question.subject === expected) return question;
  const { batchId } = record;
  const given = `${question.subject}, as the store has the plan`;
  throw new BursarError('APPROVAL_FOR_ANOTHER', { given, expected, batchId });
}
