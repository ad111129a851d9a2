import type { ScheduleDescription } from '@temporalio/client';
import { ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import {
  demandWorkflowId,
  scheduledWorkflowId,
  temporalScheduleId,
  WORKFLOW_SCHEDULED,
} from '../../contract/names.ts';
import type { Demand, ScheduledBatchInput, ScheduleDefinition } from '../../contract/schedule.ts';
import type { OfStore } from '../../contract/store.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import { workflowSummary } from '../../domain/text/markdown.ts';
import { type Link, type Started, startUnlessThere } from './link.ts';

/** The state of a schedule in Temporal. */
export type ScheduleStanding = Readonly<{
  paused: boolean;
  /** The next instants at which Temporal will begin a run, in milliseconds since 1970. */
  nextStartsMs: readonly number[];
}>;

/**
 * Temporal's schedules, as operations use them. Every call throws TEMPORAL_UNREACHABLE when Temporal does not answer.
 */
export type ScheduleEngine = Readonly<{
  /** Creates the schedule, or updates it. */
  put(definition: ScheduleDefinition, about: PutOptions): Promise<void>;
  describe(scheduleId: string): Promise<ScheduleStanding | undefined>;
  /** Does nothing to a schedule that Temporal does not have. */
  pause(scheduleId: string, note: string): Promise<void>;
  /** Does nothing to a schedule that Temporal does not have. */
  remove(scheduleId: string): Promise<void>;
  /** Starts the workflow of a run that a person demands, unless one runs or has carried it out. */
  demand(scheduleId: string, demand: Demand, store?: StoreRef): Promise<Started>;
}>;

export type PutOptions = OfStore & Readonly<{ nowMs: number; paused: boolean; note: string }>;

type Told = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** `told` turns a failure of Temporal into an error of the catalogue. */
export const createScheduleEngine = (link: Link, told: Told): ScheduleEngine => ({
  put: (definition, options) => told(() => link.inTime(() => put(link, definition, options))),
  describe: (scheduleId) => told(() => link.inTime(() => describe(link, scheduleId))),
  pause: (scheduleId, note) =>
    told(() => link.inTime(() => ifKnown(() => handleOf(link, scheduleId).pause(note)))),
  remove: (scheduleId) =>
    told(() => link.inTime(() => ifKnown(() => handleOf(link, scheduleId).delete()))),
  demand: (scheduleId, wish, store) =>
    told(() => demand(link, { scheduleId, demand: wish, ...ofStore(store) })),
});

const handleOf = ({ client }: Link, scheduleId: string) =>
  client.schedule.getHandle(temporalScheduleId(scheduleId));

async function put(
  link: Link,
  definition: ScheduleDefinition,
  { nowMs, paused, note, store }: PutOptions,
): Promise<void> {
  const { scheduleId } = definition;
  // Calendars and time zones are 0.4 MB of code, which no other call needs.
  const { specOf } = await import('../../contract/timetable.ts');
  const { timetableOf } = await import('../../domain/schedule/timetable.ts');
  const parts = {
    spec: specOf(timetableOf(definition, nowMs)),
    action: actionOf(link, definition, store),
    policies: {
      overlap: 'SKIP',
      // Temporal counts from the moment at which a run begins, which is its lead before it is due.
      catchupWindow: definition.leadMs + definition.catchUpMs,
    },
    state: { paused, note },
  } as const;
  try {
    await link.client.schedule.create({ ...parts, scheduleId: temporalScheduleId(scheduleId) });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    // Ids that are used up stay so.
    await handleOf(link, scheduleId).update(({ action: { workflowId } }) => ({
      ...parts,
      action: { ...parts.action, workflowId },
    }));
  }
}

const ofStore = (store: StoreRef | undefined): OfStore => (store === undefined ? {} : { store });

function actionOf(
  { taskQueue }: Link,
  { scheduleId, rule, timezone }: ScheduleDefinition,
  store: StoreRef | undefined,
) {
  const input: ScheduledBatchInput = { scheduleId, demand: null, ...ofStore(store) };
  return {
    type: 'startWorkflow',
    workflowType: WORKFLOW_SCHEDULED,
    workflowId: scheduledWorkflowId(scheduleId),
    taskQueue,
    args: [input],
    staticSummary: workflowSummary(`${scheduleId}: ${rule}, ${timezone}`),
  } as const;
}

async function describe(link: Link, scheduleId: string): Promise<ScheduleStanding | undefined> {
  try {
    return standingOf(await handleOf(link, scheduleId).describe());
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

const standingOf = ({ state, info }: ScheduleDescription): ScheduleStanding => ({
  paused: state.paused,
  nextStartsMs: info.nextActionTimes.map((time) => time.getTime()),
});

async function ifKnown(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/**
 * A failed run may be started again with the same id; a run that was carried out may not. The activity that takes the
 * run decides whether it may happen.
 */
function demand(
  link: Link,
  input: ScheduledBatchInput & Readonly<{ demand: Demand }>,
): Promise<Started> {
  const { scheduleId, demand: wish } = input;
  return startUnlessThere(link, WORKFLOW_SCHEDULED, {
    taskQueue: link.taskQueue,
    workflowId: demandWorkflowId(scheduleId, wish.nominal),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    staticSummary: workflowSummary(
      `${scheduleId}: run for ${wish.nominal}, asked for by ${wish.by}`,
    ),
  });
}
