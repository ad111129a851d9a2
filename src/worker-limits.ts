import type { WorkerOptions } from '@temporalio/worker';
import { HEARTBEAT_INTERVAL_MS } from './contract/heartbeat.ts';

/** How long running calls may take to end after SIGTERM. Longer than one HTTP call. */
const SHUTDOWN_GRACE = '35s';
/** The modules of each cached workflow take 0.5 MB, beside its state. Without a limit a worker could run out of memory. */
const CACHED_WORKFLOWS_MAX = 500;
/**
 * Steps of workflows that one worker takes at a time. One thread carries them out, and a step has five seconds once a
 * worker has taken it (`WORKFLOW_STEP_MS_MAX`). Of 40, the SDK's default, the last ones can time out on a busy machine, and
 * again when they are taken again. The rest waits in Temporal's queue, where nothing times out.
 */
const STEPS_IN_PARALLEL = 4;
/** Activities that one worker runs side by side; each is a call to the service or to the store. */
const ACTIVITIES_IN_PARALLEL = 40;

/**
 * A step of a workflow that takes longer is broken off, and at times the whole process with it: Node.js 20 finds that
 * its "async hook stack has become corrupted" (nodejs/node#38503). The default is five seconds by a clock that runs on
 * while the process is stopped, so that a frozen process ended when it woke. The SDK passes the option on, though its
 * types do not have it.
 */
const STEP_LIMIT = { isolateExecutionTimeout: '1h' } as const;

/** The limits of a worker, and how soon other workers take its work over. */
export const WORKER_LIMITS = {
  maxCachedWorkflows: CACHED_WORKFLOWS_MAX,
  maxConcurrentWorkflowTaskExecutions: STEPS_IN_PARALLEL,
  maxConcurrentActivityTaskExecutions: ACTIVITIES_IN_PARALLEL,
  workflowTaskPollerBehavior: { type: 'autoscaling' },
  activityTaskPollerBehavior: { type: 'autoscaling' },
  // Work of a worker that died moves to another one this soon; the default is ten seconds.
  stickyQueueScheduleToStartTimeout: '1s',
  // The SDK keeps heartbeats back for four fifths of their time-out: a worker that stops for a second would seem dead.
  maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL_MS,
  shutdownGraceTime: SHUTDOWN_GRACE,
  ...STEP_LIMIT,
} as const satisfies Partial<WorkerOptions>;
