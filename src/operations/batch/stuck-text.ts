import { counted } from '../../domain/text/counted.ts';

/** How to repair a workflow whose tasks fail. Only the log of a worker has the cause. */
export const STUCK_FIX =
  'Search for "Failing workflow task" in the log of the worker, and start a worker of a version that can run it. Pauses and cancels count meanwhile.';

/** The trouble of a batch whose workflow no worker can carry on. */
export const stuckText = (failedTasks: number): string =>
  `The workflow does not continue: workers failed its task ${counted(failedTasks, 'time')} in a row. ${STUCK_FIX}`;
