import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { BatchInput } from '../../contract/batch.ts';
import type { FileTaken, TakeFileInput } from '../../contract/schedule.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { patternOf } from '../../domain/schedule/file-pattern.ts';
import { batchIdOf } from '../../domain/schedule/names.ts';
import { lateReason, type RunRecord } from '../../domain/schedule/run-state.ts';
import type { Run } from '../../domain/schedule/timing.ts';
import { FILE_SIZE_BYTES_MAX, READ_BYTES } from '../../ingest/limits.ts';
import { type OpenFile, openFile } from '../../ingest/open-file.ts';
import type { RunFile } from '../../store/schedules/runs.ts';
import type { Claimant } from './claim-runs.ts';
import type { ScheduleDeps } from './deps.ts';
import { findScheduledFile, type FoundFile } from './find-file.ts';
import { findSchedule, type FoundSchedule, runNamed } from './find-schedule.ts';

/**
 * Finds the file of a claimed run, copies it and stores it; a run that has its file already keeps it. Throws the errors
 * of files, SCHEDULE_RUN_MISSED when it is too late, and SCHEDULE_RUN_TAKEN when another workflow has the run.
 */
export async function takeFile(
  deps: ScheduleDeps,
  input: TakeFileInput,
  claimant: Claimant,
): Promise<FileTaken> {
  const found = await findSchedule(deps, input.scheduleId);
  const run = runNamed(found.definition, input.nominal);
  const record = await deps.store.scheduleRuns.find(input);
  if (record?.claimedBy !== claimant.workflowId) throw taken(input, record);
  const job = { found, run, input, rejected: record.rejected };
  const known = fileOf(record);
  if (known !== null) {
    const begun = (await deps.store.batches.find(known.batchId)) !== undefined;
    return { kind: 'taken', batch: await batchOf(deps, job, known), begun };
  }
  refuseLate(job, deps.nowMs());
  const file = await copyFile(deps, job);
  await writeDown(deps, { ...job, file }, claimant);
  return { kind: 'taken', batch: await batchOf(deps, job, file), begun: false };
}

type Job = Readonly<{
  found: FoundSchedule;
  run: Run;
  input: TakeFileInput;
  rejected: number;
}>;

const fileOf = ({ fileName, fileSha256, batchId }: RunRecord): RunFile | null =>
  fileName === null || fileSha256 === null || batchId === null
    ? null
    : { name: fileName, sha256: fileSha256, batchId };

/** A disk that was away for hours must not make a run late in silence. */
function refuseLate({ found, run, input }: Job, nowMs: number): void {
  if (input.demand !== null || nowMs <= run.latestStartMs) return;
  const { scheduleId } = found.definition;
  const reason = lateReason(run, nowMs);
  throw new BursarError('SCHEDULE_RUN_MISSED', { scheduleId, nominal: run.nominal, reason });
}

async function copyFile(deps: ScheduleDeps, job: Job): Promise<RunFile> {
  const { definition } = job.found;
  const { nominal } = job.run;
  const { pattern } = definition.file;
  const found = await findScheduledFile({
    folder: deps.folder,
    bucket: deps.bucket,
    pattern,
    nominal,
    scheduleId: definition.scheduleId,
  });
  const sha256 = await copyBytes(deps, found);
  return { name: found.name, sha256, batchId: batchIdOf(definition, nominal, job.rejected) };
}

/** The copy is of the file that was found, and is refused when that changed meanwhile. A copy is named before it is made. */
async function copyBytes({ blobs }: ScheduleDeps, found: FoundFile): Promise<string> {
  const sha256 = await reading(found, async (file) => {
    await finished(Readable.from(file.blocks).resume());
    return file.sha256();
  });
  const kept = await reading(found, ({ blocks }) => blobs.put(sha256, blocks));
  if (kept === 'differs') throw new BursarError('FILE_CHANGED', { file: found.name });
  return sha256;
}

async function reading<Result>(
  found: FoundFile,
  use: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const limits = { readBytes: READ_BYTES, sizeBytesMax: FILE_SIZE_BYTES_MAX };
  const file = await openFile(found, limits);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function writeDown(
  { store, folder, nowMs }: ScheduleDeps,
  { found, input, rejected, file }: Job & Readonly<{ file: RunFile }>,
  claimant: Claimant,
): Promise<void> {
  const { pattern, allowUnchanged } = found.definition.file;
  // The id of a batch stands for one file for ever, and another submit may have used this one.
  if ((await store.batches.find(file.batchId)) !== undefined) {
    throw new BursarError('BATCH_ID_TAKEN', { batchId: file.batchId });
  }
  const decision = await store.scheduleRuns.takeFile(input, {
    file,
    rejected,
    allowUnchanged,
    claimant: claimant.workflowId,
    atMs: nowMs(),
  });
  if (decision.kind === 'taken') return;
  if (decision.kind === 'lost') throw taken(input, await store.scheduleRuns.find(input));
  const { scheduleId, nominal } = input;
  const about = { scheduleId, nominal, file: patternOf(pattern, nominal), folder };
  throw new BursarError('SCHEDULE_FILE_UNCHANGED', { ...about, earlier: decision.nominal });
}

const taken = (
  { scheduleId, nominal }: TakeFileInput,
  record: RunRecord | undefined,
): BursarError =>
  new BursarError('SCHEDULE_RUN_TAKEN', {
    scheduleId,
    nominal,
    state: record?.state ?? 'unknown',
    batchId: record?.batchId ?? null,
  });

/**
 * The batch of a run. The creator of the schedule, or the person who demanded the run, is its submitter: no person
 * approves a batch that they submitted themselves.
 */
async function batchOf(
  deps: ScheduleDeps,
  { found, run, input }: Job,
  file: RunFile,
): Promise<BatchInput> {
  const nowMs = deps.nowMs();
  const { definition, record } = found;
  const isAhead = definition.leadMs > 0 && run.dueAtMs > nowMs;
  const at = isAhead ? new Date(run.dueAtMs).toISOString() : null;
  const submission = input.demand === null ? record.statement : input.demand.submission;
  return {
    batchId: file.batchId,
    accountRef: definition.accountRef,
    file: { name: file.name, sha256: file.sha256 },
    options: { ...definition.options, at },
    submittedBy: input.demand?.by ?? record.createdBy,
    submittedAt: new Date(nowMs).toISOString(),
    generation: 0,
    parentBatchId: null,
    ...(submission ? { submission } : {}),
    store: await deps.store.identity.ref(),
  };
}
