import {
  type BatchStanding,
  type EndRunInput,
  readDefinition,
  type RunRef,
} from '../../contract/schedule.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { ScheduleDeps } from './deps.ts';
import { failedNews, runEntry, scheduleActor } from './run-news.ts';

/** The workflow that had the run, and which execution of it. */
export type Runner = Readonly<{ workflowId: string; runId: string }>;

/** Writes down how a run ended, and tells people when its batch did not begin or is not followed. */
export async function endRun(
  deps: Pick<ScheduleDeps, 'store' | 'tell' | 'nowMs'>,
  input: EndRunInput,
  runner: Runner,
): Promise<void> {
  const { store, nowMs } = deps;
  if (input.kind === 'ended') {
    const change = { state: 'ENDED' as const, detail: input.state, atMs: nowMs() };
    await store.scheduleRuns.change(input, runner.workflowId, change);
    return;
  }
  const { kind, error, scheduleId } = input;
  const about = await readAbout(deps, input);
  const batchId = kind === 'lost' ? input.batchId : null;
  const atMs = nowMs();
  const audit = runEntry(about, {
    ...{ atMs, batchId, actor: scheduleActor(scheduleId), action: 'schedule-run-failed' },
    detail: { code: error.code, what: error.what },
  });
  const state = kind === 'lost' ? 'RUNNING' : 'FAILED';
  const change = { state, detail: error.what, atMs, audit } as const;
  await store.scheduleRuns.change(input, runner.workflowId, change);
  // Told again when this is tried again; it reaches people once.
  await deps.tell(failedNews(about, { error, attempt: runner.runId, batchId }));
}

/** The schedule may have been deleted since. */
async function readAbout({ store }: Pick<ScheduleDeps, 'store'>, run: RunRef) {
  const schedule = await store.schedules.find(run.scheduleId);
  const record = await store.scheduleRuns.find(run);
  if (schedule === undefined || record === undefined) {
    throw new BursarError('SCHEDULE_NOT_FOUND', { scheduleId: run.scheduleId });
  }
  return { definition: readDefinition(schedule), run: record };
}

/** Where the batch of a run stands, when another workflow than the one that asks has started it. */
export async function findBatch(
  { store }: Pick<ScheduleDeps, 'store'>,
  run: RunRef,
): Promise<BatchStanding> {
  const record = await store.scheduleRuns.find(run);
  if (record === undefined || record.batchId === null) return { kind: 'other' };
  const batch = await store.batches.find(record.batchId);
  if (batch === undefined) return { kind: 'open' };
  if (batch.fileSha256 !== record.fileSha256) return { kind: 'other' };
  return batch.endState === null ? { kind: 'open' } : { kind: 'ended', state: batch.endState };
}
