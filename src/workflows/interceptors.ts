import { ActivityFailure, ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import {
  CancellationScope,
  defineSignal,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import { batchWorkflowId, WORKFLOW_BATCH } from '../contract/names.ts';
import { isCheckStore } from '../contract/read-messages.ts';
import {
  type CheckStore,
  HEADER_STORE,
  type OfStore,
  SIGNAL_CHECK_STORE,
  STORE_TROUBLES,
} from '../contract/store.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { readControls } from './shared/activities.ts';
import {
  beginTrouble,
  endTrouble,
  endTry,
  untilNextTry,
  wakeProbe,
} from './shared/store-trouble.ts';

const checkStoreSignal = defineSignal<[CheckStore]>(SIGNAL_CHECK_STORE);

/** The part of a workflow's input that all workflows share. */
type Input = OfStore & Readonly<{ batchId?: string }>;

let input: Input = {};
let isTryAgain = false;

type Outbound = NonNullable<NonNullable<WorkflowInterceptors['outbound']>[number]>;
type ScheduleActivity = NonNullable<Outbound['scheduleActivity']>;
type Activity = Parameters<ScheduleActivity>[0];

/**
 * Keeps a workflow from ending because of a worker that has another store. Each activity carries the id of the workflow's
 * store, and a worker with another store fails it. The failure stays in here: the activity is tried again until a worker has
 * the store. Workflows whose input names no store were started by older programs, and are left as they are.
 */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute(call, next) {
        input = call.args[0] ?? {};
        setHandler(checkStoreSignal, (given) => {
          if (isCheckStore(given)) checkStore(given);
        });
        return next(call);
      },
    },
  ],
  outbound: [{ scheduleActivity }],
});

const scheduleActivity: ScheduleActivity = (activity, next) => {
  const { store } = input;
  if (store === undefined) return next(activity);
  const header = defaultPayloadConverter.toPayload(store.id);
  const named = { ...activity, headers: { ...activity.headers, [HEADER_STORE]: header } };
  return isTryAgain ? next(named) : patiently(activity, () => next(named));
};

async function patiently(activity: Activity, first: () => Promise<unknown>): Promise<unknown> {
  let isOnlyTry = false;
  for (let run = first; ; run = () => tryAgain(activity)) {
    try {
      const result = await run();
      endTrouble();
      return result;
    } catch (error) {
      const note = storeTroubleOf(error);
      if (note === undefined) throw error;
      beginTrouble(note);
      raiseFlag(note);
    } finally {
      if (isOnlyTry) endTry();
    }
    isOnlyTry = await untilNextTry();
  }
}

/** Schedules the activity again, under a new number. */
function tryAgain({ activityType, args, options }: Activity): Promise<unknown> {
  const activities =
    proxyActivities<Record<string, (...args: unknown[]) => Promise<unknown>>>(options);
  isTryAgain = true;
  try {
    return activities[activityType]?.(...args) ?? Promise.reject(new Error(activityType));
  } finally {
    isTryAgain = false;
  }
}

/** Why a worker refused an activity for its store; undefined for every other failure. */
function storeTroubleOf(error: unknown): ErrorNote | undefined {
  if (!(error instanceof ActivityFailure)) return undefined;
  for (let cause = error.cause; cause !== undefined; cause = causeOf(cause)) {
    if (!(cause instanceof ApplicationFailure)) continue;
    if (!STORE_TROUBLES.includes(cause.type ?? '')) continue;
    return (cause.details?.[0] as ErrorNote | undefined) ?? noteOf('INTERNAL', cause);
  }
  return undefined;
}

const causeOf = (error: Error): Error | undefined =>
  error.cause instanceof Error ? error.cause : undefined;

/** A batch shows the flag for its partitions, which people do not open. */
function raiseFlag(note: ErrorNote): void {
  const { batchId } = input;
  if (workflowInfo().workflowType === WORKFLOW_BATCH || batchId === undefined) return;
  void CancellationScope.nonCancellable(() =>
    getExternalWorkflowHandle(batchWorkflowId(batchId)).signal(checkStoreSignal, { note }),
  )
    // A batch that has ended needs no flag.
    .catch(() => undefined);
}

let isChecking = false;

/** Tries an activity now. A batch without a waiting activity reads its holds from the store. */
function checkStore({ note }: CheckStore): void {
  wakeProbe();
  const { batchId } = input;
  if (note === undefined || batchId === undefined || isChecking) return;
  if (workflowInfo().workflowType !== WORKFLOW_BATCH) return;
  beginTrouble(note);
  isChecking = true;
  void CancellationScope.nonCancellable(() => readControls({ batchId }))
    .then(endTrouble)
    .catch(() => undefined)
    .finally(() => {
      isChecking = false;
    });
}
