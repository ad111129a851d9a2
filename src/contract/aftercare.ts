import { aftercareWorkflowId } from './names.ts';
import type { OfStore } from './store.ts';

/** Starts the aftercare of a batch: its ends that people can change are read again, now and then, after its report. */
export type AftercareInput = OfStore &
  Readonly<{
    batchId: string;
    /** How long to wait for the next recheck, in milliseconds; it grows from one to the next. */
    delayMs: number;
    /** Chunks that webhooks named and that are not rechecked yet, from the run before. */
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

/** The start options of the workflow that follows a batch. */
export const aftercareStart = (input: AftercareInput) =>
  ({
    workflowId: aftercareWorkflowId(input.batchId),
    args: [input] as [AftercareInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `ends of ${input.batchId} that people can change`,
  }) as const;
