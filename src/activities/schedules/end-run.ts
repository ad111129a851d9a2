import {
  type BatchStanding,
  type EndRunInput,
  readDefinition,
  type RunRef,
} from '../../contract/schedule.ts';
import { BursarError, type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import type { ScheduleDeps } from './deps.ts';
import { failedNews, runEntry, scheduleActor } from './run-events.ts';

type EndDeps = Pick<ScheduleDeps, 'store' | 'notify' | 'nowMs'>;

/** The workflow that had the run, and which execution of it. */
export type Runner = Readonly<{ workflowId: string; runId: string }>;

/** Stores how a run ended, and notifies people when its batch did not begin, was rejected or is not followed. */
export async function endRun(
  deps: EndDeps,
  input: EndRunInput,
  runner: Runner,
): Promise<ErrorNote | null> {
  const { store, nowMs } = deps;
  if (input.kind === 'ended') {
    const change = { state: 'ENDED' as const, detail: input.state, atMs: nowMs() };
    await store.scheduleRuns.change(input, runner.workflowId, change);
    return null;
  }
  if (input.kind === 'rejected') return endRejected(deps, input, runner);
  const { kind, error, scheduleId } = input;
  const about = await readAbout(deps, input);
  const batchId = kind === 'lost' ? input.batchId : null;
  const atMs = nowMs();
  const audit = runEntry(about, {
    atMs,
    batchId,
    actor: scheduleActor(scheduleId),
    action: 'schedule-run-failed',
    detail: { code: error.code, what: error.what },
  });
  const state = kind === 'lost' ? 'RUNNING' : 'FAILED';
  const change = { state, detail: error.what, atMs, audit } as const;
  await store.scheduleRuns.change(input, runner.workflowId, change);
  // Sent again when this is tried again; it reaches people once.
  await deps.notify(failedNews(about, { error, attempt: runner.runId, batchId }));
  return error;
}

type Rejected = Extract<EndRunInput, { kind: 'rejected' }>;

/** The run is free again when the store proves that nothing of its batch was or will be sent; else it is over. */
async function endRejected(
  deps: EndDeps,
  { scheduleId, nominal, batchId, problem }: Rejected,
  { workflowId, runId }: Runner,
): Promise<ErrorNote> {
  const runs = deps.store.scheduleRuns;
  const run = { scheduleId, nominal };
  const about = await readAbout(deps, run);
  const noteFor = (mayRepeat: boolean): ErrorNote =>
    noteOf('SCHEDULE_BATCH_REJECTED', { ...run, batchId, problem, mayRepeat });
  const { code, what } = noteFor(true);
  const atMs = deps.nowMs();
  const audit = runEntry(about, {
    atMs,
    batchId,
    actor: scheduleActor(scheduleId),
    action: 'schedule-run-failed',
    detail: { code, what },
  });
  if (!(await runs.reject(run, workflowId, { detail: what, atMs, audit }))) {
    const over = { state: 'ENDED' as const, detail: 'REJECTED', atMs, audit };
    await runs.change(run, workflowId, over);
  }
  const error = noteFor((await runs.find(run))?.state !== 'ENDED');
  await deps.notify(failedNews(about, { error, attempt: runId, batchId }));
  return error;
}

/** The schedule may have been deleted since. */
async function readAbout({ store }: EndDeps, run: RunRef) {
  const schedule = await store.schedules.find(run.scheduleId);
  const record = await store.scheduleRuns.find(run);
  if (schedule === undefined || record === undefined) {
    throw new BursarError('SCHEDULE_NOT_FOUND', { scheduleId: run.scheduleId });
  }
  return { definition: readDefinition(schedule), run: record };
}

/** The state of a run's batch that another workflow has started. */
export async function findBatch({ store }: EndDeps, run: RunRef): Promise<BatchStanding> {
  const record = await store.scheduleRuns.find(run);
  if (record === undefined || record.batchId === null) return { kind: 'other' };
  const batch = await store.batches.find(record.batchId);
  if (batch === undefined) return { kind: 'open' };
  if (batch.fileSha256 !== record.fileSha256) return { kind: 'other' };
  const { endState: state, error } = batch;
  return state === null ? { kind: 'open' } : { kind: 'ended', state, error };
}
