import { aftercareWorkflowId } from './names.ts';
import type { OfStore } from './store.ts';

/** Starts the aftercare of a batch: its ends that people can change are read again, now and then, after its report. */
export type AftercareInput = OfStore &
  Readonly<{
    batchId: string;
    /** How long to wait for the next look, in milliseconds; it grows from look to look. */
    delayMs: number;
    /** Chunks that webhooks named and that were not looked at yet, of the run before. */
    hints?: readonly number[];
  }>;

/** Answer to the update `refresh`. */
export type Refreshed = Readonly<{
  changedRows: number;
  /** Chunks that could not be read. */
  unread: number;
  /** Version of the newest report. */
  version: number;
}>;

/** How the workflow that follows a batch is started, whoever starts it. */
export const aftercareStart = (input: AftercareInput) =>
  ({
    workflowId: aftercareWorkflowId(input.batchId),
    args: [input] as [AftercareInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `ends of ${input.batchId} that people can change`,
  }) as const;
