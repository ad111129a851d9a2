import type { Db } from '../database/db.ts';
import {
  demandSubject,
  scheduleSubject,
  type SubmissionSubject,
  submissionSubject,
} from '../../domain/approval/submission.ts';
import { canonicalJson } from '../../domain/plan/canonical-json.ts';
import type { Schema } from '../database/schema.ts';

/**
 * The subjects by which a person can have submitted a batch: the batch itself, or the schedule of which it is a run. Empty for
 * a batch that the store does not have.
 */
export async function readBatchSubmission(db: Db, batchId: string): Promise<SubmissionSubject[]> {
  const batch = await db
    .selectFrom('batch')
    .select(SUBMITTED)
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (batch === undefined) return [];
  const own = submissionSubject({
    batchId,
    accountRef: batch.account_ref,
    fileSha256: batch.file_sha256,
    optionsJson: batch.options_json,
    generation: batch.generation,
    parentBatchId: batch.parent_batch_id,
  });
  return [own, ...(await scheduleSubjects(db, batchId, batch))];
}

const SUBMITTED = [
  'account_ref',
  'file_sha256',
  'options_json',
  'generation',
  'parent_batch_id',
] as const;

type Submitted = Pick<Schema['batch'], (typeof SUBMITTED)[number]>;

/** A schedule stands for the batch of its run only while file and options are those of the run. */
async function scheduleSubjects(
  db: Db,
  batchId: string,
  batch: Submitted,
): Promise<SubmissionSubject[]> {
  const runs = await db
    .selectFrom('schedule_run')
    .innerJoin('schedule', 'schedule.schedule_id', 'schedule_run.schedule_id')
    .select(['schedule.schedule_id', 'definition_json', 'nominal', 'file_sha256'])
    .where('batch_id', '=', batchId)
    .execute();
  return runs
    .filter((run) => run.file_sha256 === batch.file_sha256 && isOfSchedule(batch, run))
    .flatMap(({ schedule_id: scheduleId, definition_json: definitionJson, nominal }) => {
      const schedule = { scheduleId, definitionJson };
      return [scheduleSubject(schedule), demandSubject(schedule, nominal)];
    });
}

function isOfSchedule(
  { options_json: options, account_ref: account }: Submitted,
  { definition_json: definition }: Readonly<{ definition_json: string }>,
): boolean {
  const scheduled = JSON.parse(definition) as Readonly<{ accountRef: string; options: object }>;
  return (
    account === scheduled.accountRef &&
    timeless(JSON.parse(options) as object) === timeless(scheduled.options)
  );
}

/** Each run fills in its own instant. */
const timeless = (options: object): string => canonicalJson({ ...options, at: null });
