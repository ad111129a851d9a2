import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type {
  AftercareActivities,
  ConfirmActivities,
  ControlActivities,
  FundsActivities,
  IngestActivities,
  ReportActivities,
  SettleActivities,
} from '../../contract/activities.ts';
import type { SendActivities } from '../../contract/sending.ts';
import type { ApprovalActivities } from '../../contract/approval-activities.ts';
import type { BalanceActivities } from '../../contract/balance-activities.ts';
import { HEARTBEAT_TIMEOUT_MS } from '../../contract/heartbeat.ts';
import type { NotifyActivities, HealthCheckActivities } from '../../contract/housekeeping.ts';
import type { ScheduleActivities } from '../../contract/schedule.ts';
import { SENDING_MS_MAX } from '../../domain/sending/fence.ts';

const PATIENT_RETRY = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
} as const;

/** Work on the file and the store. A million rows take seconds; the limit only ends stuck work. */
const STORE_WORK: ActivityOptions = {
  startToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: PATIENT_RETRY,
};

/** Questions to the service. After this long without an answer the batch gives up, with nothing sent. */
const SERVICE_QUESTION: ActivityOptions = {
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '15m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: PATIENT_RETRY,
  // A question changes nothing, so a batch that is canceled need not wait for its answer.
  cancellationType: 'TRY_CANCEL',
};

/** How long one activity begins chunks, in milliseconds: a person who looks at the partition waits no longer for news. */
export const GROUP_MS = 20_000;

/** Temporal never retries it: the stored steps decide the next step after a send, and not a failure. */
export const SEND_OPTIONS: ActivityOptions = {
  startToCloseTimeout: SENDING_MS_MAX,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { maximumAttempts: 1 },
  // Else the worker that has the workflow in its memory takes all sends of a batch.
  allowEagerDispatch: false,
};

/** A chunk that is begun last has as long as one that is sent by itself. */
export const GROUP_OPTIONS: ActivityOptions = {
  ...SEND_OPTIONS,
  startToCloseTimeout: GROUP_MS + SENDING_MS_MAX,
};

export const { ingestFile } = proxyActivities<IngestActivities>({
  ...STORE_WORK,
  // The rows of a resend are read from the service again, at its pace.
  startToCloseTimeout: '6h',
  summary: 'read the file into the store',
});

export const { planBatch } = proxyActivities<IngestActivities>({
  ...STORE_WORK,
  summary: 'freeze chunks, keys and digest',
});

export const { quoteFees } = proxyActivities<FundsActivities>({
  ...SERVICE_QUESTION,
  summary: 'quote the fees of the payment',
});

export const { checkFees, claimFunds } = proxyActivities<FundsActivities>({
  ...SERVICE_QUESTION,
  summary: 'read fees and funds from the service',
});

export const { acceptFees } = proxyActivities<FundsActivities>({
  ...STORE_WORK,
  summary: 'store that a person accepted the fees',
});

export const { checkFunds } = proxyActivities<FundsActivities>({
  ...SERVICE_QUESTION,
  summary: 'compare the batch with the balance',
});

export const { sendChunk } = proxyActivities<SendActivities>(SEND_OPTIONS);

export const { sendChunks } = proxyActivities<SendActivities>(GROUP_OPTIONS);

export const { readControls } = proxyActivities<ControlActivities>({
  ...STORE_WORK,
  summary: 'read the decisions of people so far',
});

export const { recordApproval, noteRefusedApproval } = proxyActivities<ApprovalActivities>({
  ...STORE_WORK,
  summary: 'store an approval',
});

export const { putHold, resumeBatch, releaseHold, releaseApprovedHold } =
  proxyActivities<ControlActivities>({ ...STORE_WORK, summary: 'store a hold' });

export const { noteCancel } = proxyActivities<ControlActivities>({
  ...STORE_WORK,
  summary: 'store the person who stopped the batch',
});

export const { releaseBatch } = proxyActivities<ControlActivities>({
  ...SERVICE_QUESTION,
  summary: 'check that everything allows the batch to pay',
});

export const { answerChunk } = proxyActivities<SendActivities>({
  ...STORE_WORK,
  summary: "store an operator's answer",
});

export const { sweepChunks } = proxyActivities<SettleActivities>({
  ...STORE_WORK,
  allowEagerDispatch: false,
  summary: 'read the states of mass payouts',
});

export const { checkBalance } = proxyActivities<BalanceActivities>({
  ...STORE_WORK,
  summary: 'compare the balance with the orders',
});

export const { reportBatch } = proxyActivities<ReportActivities>({
  ...STORE_WORK,
  summary: 'tie out and write the report',
});

/** People are notified soon or by housekeeping; a store that cannot be written for so long has other consequences. */
export const { tell } = proxyActivities<NotifyActivities>({
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '15m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: PATIENT_RETRY,
  summary: 'notify people',
});

/** The tasks are run again soon, so there are few retries. */
export const { watchRound } = proxyActivities<HealthCheckActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
  summary: 'check subscriptions, schedules and notifications',
});

export const { claimRuns } = proxyActivities<ScheduleActivities>({
  ...STORE_WORK,
  summary: 'take the run',
});

export const { takeFile } = proxyActivities<ScheduleActivities>({
  ...STORE_WORK,
  summary: 'find the file of the run and copy it',
});

export const { findBatch } = proxyActivities<ScheduleActivities>({
  ...STORE_WORK,
  summary: 'read the state of the batch',
});

export const { endRun } = proxyActivities<ScheduleActivities>({
  ...STORE_WORK,
  summary: 'store the end of the run, and notify people',
});

/** Few tries: housekeeping lengthens the list each minute. */
export const { listRuns } = proxyActivities<ScheduleActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
  summary: 'list the runs ahead in Temporal',
});

/** A read of a thousand rows from a service that allows one request a second takes most of an hour. */
const LONG_LOOK: ActivityOptions = {
  startToCloseTimeout: '6h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: PATIENT_RETRY,
};

/** Retried without an answer for as long as one read takes; then nothing is sent. */
export const { confirmUnpaid } = proxyActivities<ConfirmActivities>({
  ...LONG_LOOK,
  scheduleToCloseTimeout: '6h',
  cancellationType: 'TRY_CANCEL',
  summary: 'read the rows of the resend again',
});

export const { followEnds } = proxyActivities<AftercareActivities>({
  ...LONG_LOOK,
  summary: 'read ends that people can change',
});

export const { endsToFollow } = proxyActivities<AftercareActivities>({
  ...STORE_WORK,
  scheduleToCloseTimeout: '10m',
  summary: 'find the ends that people can change',
});
