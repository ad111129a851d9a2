/**
 * How long a worker may take for one step of a workflow that pays, in milliseconds. The task of a killed worker goes on
 * after that time. A step takes milliseconds, and less than a second where a whole history is read first.
 */
export const WORKFLOW_STEP_MS_MAX = 5_000;

/** The workflow type that a batch is started as; it stands in histories and is never renamed. */
export const WORKFLOW_BATCH = 'payoutBatch';

export const batchWorkflowId = (batchId: string): string => `batch/${batchId}`;

/** The workflow type that follows a batch after its report; it stands in histories and is never renamed. */
export const WORKFLOW_AFTERCARE = 'aftercare';

export const aftercareWorkflowId = (batchId: string): string =>
  `${batchWorkflowId(batchId)}/aftercare`;

export const partitionWorkflowId = (batchId: string, partition: number): string =>
  `${batchWorkflowId(batchId)}/p${partition}`;

/** The workflow type that a run of a schedule is started as; it stands in histories and is never renamed. */
export const WORKFLOW_SCHEDULED = 'scheduledBatch';

/** The id of a schedule in Temporal. */
export const temporalScheduleId = (scheduleId: string): string => `bursar/${scheduleId}`;

/** Temporal appends the instant to it: `schedule/rent-2026-11-30T08:00:00Z`. */
export const scheduledWorkflowId = (scheduleId: string): string => `schedule/${scheduleId}`;

/** The id of a run that a person started early, so that its usual id is used up. */
export const renewedWorkflowId = (scheduleId: string, tag: string): string =>
  `${scheduledWorkflowId(scheduleId)}/again/${tag}`;

/** The workflow of a run that a person demanded. */
export const demandWorkflowId = (scheduleId: string, nominal: string): string =>
  `schedule/${scheduleId}/run/${nominal}`;

export const isDemandWorkflowId = (workflowId: string): boolean =>
  /^schedule\/[^/]+\/run\//.test(workflowId);

/** Signal to a partition, and to the aftercare of a batch whose partitions have ended. */
export const SIGNAL_HINT = 'hint';
/** Signal to a partition: send nothing more. */
export const SIGNAL_STOP = 'stop';
/** Signal to a partition: what kept its chunks from being sent may be over. */
export const SIGNAL_GO_ON = 'goOn';
/** Signal to a batch: a hold or a cancel was written to the store. It carries nothing: the batch reads the store. */
export const SIGNAL_CONTROLS = 'controls';
/** Signal to a batch: the account may hold more now. */
export const SIGNAL_FUNDS = 'funds';
/** Signals from a partition to its batch. */
export const SIGNAL_PROGRESS = 'progress';

/** Queries. */
export const QUERY_STATUS = 'status';

/** Updates: to a batch. */
export const UPDATE_CANCEL = 'cancel';
export const UPDATE_APPROVE = 'approve';
export const UPDATE_PAUSE = 'pause';
export const UPDATE_RESUME = 'resume';
/** Updates: to a partition. */
export const UPDATE_RESOLVE = 'resolve';
/** Update to the workflow that follows a batch: recheck at once. */
export const UPDATE_REFRESH = 'refresh';

/** Search attributes, with the types under which they are registered. */
export const SEARCH_ATTRIBUTES = {
  BursarBatch: 'KEYWORD',
  BursarState: 'KEYWORD',
  BursarCurrency: 'KEYWORD_LIST',
  BursarRows: 'INT',
  BursarFailedRows: 'INT',
  BursarNeedsOperator: 'BOOL',
  BursarHeld: 'BOOL',
  BursarDueTime: 'DATETIME',
} as const;
