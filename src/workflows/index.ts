/** Every function that is exported here is a workflow type. */
export { housekeeping } from './housekeeping.ts';
export { aftercare } from './aftercare.ts';
export { payoutBatch } from './batch/payout-batch.ts';
export { payoutPartition } from './partition/payout-partition.ts';
export { scheduledBatch } from './scheduled-batch.ts';
