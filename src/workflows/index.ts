/** Every function that is exported here is a workflow type. */
export { aftercare } from './aftercare.ts';
export { payoutBatch } from './payout-batch.ts';
export { payoutPartition } from './payout-partition.ts';
