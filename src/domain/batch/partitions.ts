/**
 * Chunks that one partition of a new batch drives. While the service answers, its history has some events for all of them. While
 * each waits for a person, a worker has to read some events for each within the time of one workflow task.
 */
export const PARTITION_CHUNKS = 500;

/** Chunks of one partition in batches that older workers planned: their histories have some events for each chunk. */
export const OLD_PARTITION_CHUNKS = 100;

/** `partitionChunks`: chunks of one partition, as the plan of the batch has it; null in plans of older workers. */
export const partitionOf = (chunk: number, partitionChunks: number | null): number =>
  Math.floor(chunk / (partitionChunks ?? OLD_PARTITION_CHUNKS));

/** Chunks in flight of one partition at most where several send side by side: one worker drives them. */
const LANES_MAX = 16;

/** How many chunks each of several partitions has in flight. Example: 40 in flight are 14, 13 and 13. */
export function sharesOf(chunksInFlight: number): readonly number[] {
  const count = Math.ceil(chunksInFlight / LANES_MAX);
  const [least, more] = [Math.floor(chunksInFlight / count), chunksInFlight % count];
  return Array.from({ length: count }, (_, i) => least + (i < more ? 1 : 0));
}
