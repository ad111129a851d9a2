import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type {
  FundsActivities,
  IngestActivities,
  ReportActivities,
  SendActivities,
  SettleActivities,
} from '../contract/activities.ts';

/** How soon a worker that died is noticed. Activities beat every 1.5 seconds. */
const HEARTBEAT_TIMEOUT = '8s';

const PATIENT_RETRY = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
} as const;

/** Reading a file of a million rows takes seconds; the limit only ends what is stuck. */
export const { ingestFile, planBatch } = proxyActivities<IngestActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: PATIENT_RETRY,
});

/** How long an unreachable service is tried again before the batch gives up, with nothing sent. */
export const { quoteFees, checkFunds } = proxyActivities<FundsActivities>({
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '15m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: PATIENT_RETRY,
});

/** Never retried by Temporal: what follows a send is decided from what was written down, not from a failure. */
export const SEND_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '5m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { maximumAttempts: 1 },
};

export const { sendChunk } = proxyActivities<Pick<SendActivities, 'sendChunk'>>(SEND_OPTIONS);

export const { answerChunk } = proxyActivities<Pick<SendActivities, 'answerChunk'>>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: PATIENT_RETRY,
});

export const { sweepChunks } = proxyActivities<SettleActivities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: PATIENT_RETRY,
});

export const { reportBatch } = proxyActivities<ReportActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: PATIENT_RETRY,
});
