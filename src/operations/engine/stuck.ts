import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { isNotFoundByServer } from './failures.ts';
import { FAILED_TASKS_MIN } from './limits.ts';

/** A workflow that no worker can carry on. `failedTasks`: how often in a row a worker failed the task that comes next. */
export type StuckWorkflow = Readonly<{ workflowId: string; failedTasks: number }>;

/** Workflows that are described, and how many at once. */
const LOOKED_AT_MAX = 1_000;
const AT_ONCE = 10;

/** How often in a row a worker failed, or did not finish, the task that comes next. */
export const failedTasksOf = ({
  pendingWorkflowTask,
}: WorkflowExecutionDescription['raw']): number =>
  Math.max(0, (pendingWorkflowTask?.attempt ?? 0) - 1);

/** The workflows of a task queue that no worker can carry on, in the order of their ids. */
export async function stuckWorkflows(client: Client, taskQueue: string): Promise<StuckWorkflow[]> {
  const queue = taskQueue.replaceAll("'", "''");
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${queue}'`;
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    ids.push(workflowId);
    if (ids.length >= LOOKED_AT_MAX) break;
  }
  const stuck: StuckWorkflow[] = [];
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const some = ids.slice(first, first + AT_ONCE);
    const looked = await Promise.all(some.map((id) => lookAt(client, id)));
    stuck.push(...looked.filter(({ failedTasks }) => failedTasks >= FAILED_TASKS_MIN));
  }
  return stuck.sort((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
}

async function lookAt(client: Client, workflowId: string): Promise<StuckWorkflow> {
  const { namespace } = client.options;
  try {
    const asked = { namespace, execution: { workflowId } };
    const description = await client.workflowService.describeWorkflowExecution(asked);
    return { workflowId, failedTasks: failedTasksOf(description) };
  } catch (error) {
    // The list lags behind: this one has ended, and is forgotten.
    if (isNotFoundByServer(error)) return { workflowId, failedTasks: 0 };
    throw error;
  }
}
