import type { Approval } from '../../domain/approval/statement.ts';
import { batchIdOf } from '../../domain/schedule/names.ts';
import type { RunState } from '../../domain/schedule/run-state.ts';
import type { SubmissionQuestion } from '../approval/submission-question.ts';
import { onRecord } from '../batch/on-record.ts';
import { ownStore } from '../batch/own-store.ts';
import { withSources } from '../batch/sources.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { findStartable, type Startable, takenError } from './demand.ts';
import { findSchedule, type KnownSchedule } from './find.ts';
import { demandOf, demandQuestion } from './sign-demand.ts';
import { type RunView, runView } from './views.ts';

/** `run`: the local time that names a run, `2026-11-30T09:00`. */
export type RunWish = Readonly<{ scheduleId: string; run: string; reason: string }>;

/** `submission`: a signed statement of the person who starts it. */
export type TriggerWish = RunWish & Readonly<{ submission?: Approval }>;

/** One run before a person starts it. */
export type PlannedTrigger = Readonly<{
  schema: 'bursar.schedule-trigger-plan/v1';
  scheduleId: string;
  leadMs: number;
  run: RunView;
  /** How the run ended before; null: nothing of it has begun. */
  before: Readonly<{ state: RunState; detail: string }> | null;
  /** Why the schedule is paused; null: it is not. */
  pausedBecause: string | null;
  submission: SubmissionQuestion;
}>;

export type TriggeredRun = Readonly<{
  schema: 'bursar.schedule-trigger/v1';
  scheduleId: string;
  nominal: string;
  by: string;
  reason: string;
  batchId: string;
}>;

/** The run that a person may start; nothing is started. @throws SCHEDULE_RUN_UNKNOWN, SCHEDULE_RUN_AHEAD, SCHEDULE_RUN_TAKEN */
export const planTrigger = (wish: RunWish, context: OperationContext): Promise<PlannedTrigger> =>
  withRun(wish, context, async ({ run, record, found, sources }) => {
    const { definition } = found;
    return {
      schema: 'bursar.schedule-trigger-plan/v1',
      scheduleId: definition.scheduleId,
      leadMs: definition.leadMs,
      run: { ...runView(definition, run), batchId: nextBatchId({ run, record, found }) },
      before: record === undefined ? null : { state: record.state, detail: record.detail },
      pausedBecause: found.record.paused?.note ?? null,
      submission: demandQuestion(found, run.nominal, sources.settings),
    };
  });

/** Starts one run now, at most once in its life. @throws SUBMIT_UNSIGNED, and as {@link planTrigger} */
export const triggerSchedule = (
  wish: TriggerWish,
  context: OperationContext,
): Promise<TriggeredRun> =>
  withRun(wish, context, async ({ run, record, found, sources }) => {
    const { scheduleId } = found.definition;
    const { settings } = sources;
    const store = await ownStore(sources);
    const { reason, submission } = wish;
    const asked = { nominal: run.nominal, reason, submission };
    const demand = demandOf(found, asked, { settings, context });
    const engine = await sources.engine();
    if ((await engine.schedules.demand(scheduleId, demand, store)) === 'exists') {
      const taken = { scheduleId, nominal: run.nominal };
      throw takenError(taken, await sources.store.scheduleRuns.find(taken));
    }
    const { nominal, by } = demand;
    const batchId = nextBatchId({ run, record, found });
    return { schema: 'bursar.schedule-trigger/v1', scheduleId, nominal, by, reason, batchId };
  });

type FoundRun = Startable & Readonly<{ found: KnownSchedule }>;

const nextBatchId = ({ run, record, found }: FoundRun): string =>
  batchIdOf(found.definition, run.nominal, record?.rejected);

/** Finds the run for `use`. The log has a try that is refused. */
const withRun = <Result>(
  { scheduleId: text, run: nominal }: RunWish,
  context: OperationContext,
  use: (run: FoundRun & Readonly<{ sources: Sources }>) => Promise<Result>,
): Promise<Result> =>
  withSources(context, async (sources) => {
    const found = await findSchedule(sources.store, text);
    const { scheduleId } = found.definition;
    const detail = { scheduleId, run: nominal };
    return onRecord(
      { action: 'schedule-trigger', batchId: null, detail },
      { sources, context },
      async () => {
        await ownStore(sources);
        const nowMs = context.clock.nowMs();
        const startable = await findStartable(sources, found, { nominal, nowMs });
        return use({ ...startable, found, sources });
      },
    );
  });
