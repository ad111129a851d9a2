/** Chunks that one partition of a new batch drives. Its history has some events for each 1,000 of them. */
export const PARTITION_CHUNKS = 2_000;

/** Chunks of one partition in batches that older workers planned: their histories have some events for each chunk. */
export const OLD_PARTITION_CHUNKS = 100;

/** `partitionChunks`: chunks of one partition, as the plan of the batch has it; null in plans of older workers. */
export const partitionOf = (chunk: number, partitionChunks: number | null): number =>
  Math.floor(chunk / (partitionChunks ?? OLD_PARTITION_CHUNKS));
