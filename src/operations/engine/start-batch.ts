import type { BatchInput } from '../../contract/batch.ts';
import { batchWorkflowId, WORKFLOW_BATCH, WORKFLOW_STEP_MS_MAX } from '../../contract/names.ts';
import { MEMO_STORE } from '../../contract/store.ts';
import { batchPriority } from '../../domain/batch/task-priority.ts';
import { type About, type Link, type Started, startUnlessThere } from './link.ts';

type Starting = Readonly<{ input: BatchInput; about: About }>;

/**
 * Starts the workflow of a batch, unless one runs under its id. `again`: whether one may have run before, and was ended by
 * force; one that came to its own end is never followed by another.
 */
export const startBatch = (
  link: Link,
  { input, about: { summary, details } }: Starting,
  again: 'never' | 'after-force',
): Promise<Started> =>
  startUnlessThere(link, WORKFLOW_BATCH, {
    taskQueue: link.taskQueue,
    workflowId: batchWorkflowId(input.batchId),
    args: [input],
    workflowIdReusePolicy: again === 'never' ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowTaskTimeout: WORKFLOW_STEP_MS_MAX,
    priority: batchPriority(input.batchId),
    memo: memoOf(input),
    staticSummary: summary,
    staticDetails: details,
  });

/** The facts that `describe` returns before a worker has taken the batch. */
function memoOf(input: BatchInput): Record<string, unknown> {
  const { file, options, parentBatchId, generation, store } = input;
  const planDigest = options.expectedDigest?.digest;
  return {
    fileSha256: file.sha256,
    ...(planDigest === undefined ? {} : { planDigest }),
    ...(parentBatchId === null ? {} : { parentBatchId, generation }),
    ...(store === undefined ? {} : { [MEMO_STORE]: store }),
  };
}
