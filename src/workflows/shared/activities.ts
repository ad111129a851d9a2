import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type {
  AftercareActivities,
  ConfirmActivities,
  ControlActivities,
  FundsActivities,
  IngestActivities,
  ReportActivities,
  SendActivities,
  SettleActivities,
} from '../../contract/activities.ts';
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

/** Work on the file and the store. A million rows take seconds; the limit only ends what is stuck. */
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

/** Never retried by Temporal: what follows a send is decided from what was written down, not from a failure. */
export const SEND_OPTIONS: ActivityOptions = {
  startToCloseTimeout: SENDING_MS_MAX,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { maximumAttempts: 1 },
};

export const { ingestFile } = proxyActivities<IngestActivities>({
  ...STORE_WORK,
  // The rows of a resend are read once more from the service, at its pace.
  startToCloseTimeout: '6h',
  summary: 'read the file into the store',
});

export const { planBatch } = proxyActivities<IngestActivities>({
  ...STORE_WORK,
  summary: 'freeze chunks, keys and digest',
});

export const { quoteFees } = proxyActivities<FundsActivities>({
  ...SERVICE_QUESTION,
  summary: 'ask what the payment will cost',
});

export const { checkFees, claimFunds } = proxyActivities<FundsActivities>({
  ...SERVICE_QUESTION,
  summary: 'ask the service about fees and funds',
});

export const { acceptFees } = proxyActivities<FundsActivities>({
  ...STORE_WORK,
  summary: 'write down that somebody let the fees pass',
});

export const { checkFunds } = proxyActivities<FundsActivities>({
  ...SERVICE_QUESTION,
  summary: 'hold the batch against the balance',
});

export const { sendChunk } = proxyActivities<SendActivities>(SEND_OPTIONS);

export const { readControls } = proxyActivities<ControlActivities>({
  ...STORE_WORK,
  summary: 'read what people have decided so far',
});

export const { recordApproval, noteRefusedApproval } = proxyActivities<ApprovalActivities>({
  ...STORE_WORK,
  summary: 'write an approval down',
});

export const { putHold, resumeBatch, releaseHold, releaseApprovedHold } =
  proxyActivities<ControlActivities>({ ...STORE_WORK, summary: 'write a hold down' });

export const { noteCancel } = proxyActivities<ControlActivities>({
  ...STORE_WORK,
  summary: 'write down who stopped the batch',
});

export const { releaseBatch } = proxyActivities<ControlActivities>({
  ...SERVICE_QUESTION,
  summary: 'see that everything allows the batch to pay',
});

export const { answerChunk } = proxyActivities<SendActivities>({
  ...STORE_WORK,
  summary: "write an operator's answer down",
});

export const { sweepChunks } = proxyActivities<SettleActivities>({
  ...STORE_WORK,
  summary: 'read the states of mass payouts',
});

export const { checkBalance } = proxyActivities<BalanceActivities>({
  ...STORE_WORK,
  summary: 'compare the balance with what was ordered',
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
  summary: 'tell people',
});

/** The tasks are run again soon, so there are few retries. */
export const { watchRound } = proxyActivities<HealthCheckActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
  summary: 'look after subscriptions, schedules and notifications',
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
  summary: 'look where the batch stands',
});

export const { endRun } = proxyActivities<ScheduleActivities>({
  ...STORE_WORK,
  summary: 'write the end of the run down, and tell',
});

/** Housekeeping does the same each minute, so that few tries are made. */
export const { listRuns } = proxyActivities<ScheduleActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
  summary: 'list the runs ahead in Temporal',
});

/** A check of a thousand rows at a service that allows one request a second takes most of an hour. */
const LONG_LOOK: ActivityOptions = {
  startToCloseTimeout: '6h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: PATIENT_RETRY,
};

/** Retried without an answer for as long as one check takes; then nothing is sent. */
export const { confirmUnpaid } = proxyActivities<ConfirmActivities>({
  ...LONG_LOOK,
  scheduleToCloseTimeout: '6h',
  cancellationType: 'TRY_CANCEL',
  summary: 'read the rows of the resend once more',
});

export const { followEnds } = proxyActivities<AftercareActivities>({
  ...LONG_LOOK,
  summary: 'read ends that people can change',
});

export const { endsToFollow } = proxyActivities<AftercareActivities>({
  ...STORE_WORK,
  scheduleToCloseTimeout: '10m',
  summary: 'see which ends people can change',
});
