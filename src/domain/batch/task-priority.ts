/**
 * How Temporal orders waiting tasks. Of those with the smallest `priorityKey` it hands out one of each `fairnessKey` in turn.
 * Activities and children of a workflow have its keys, unless they are given others.
 */
export type TaskPriority = Readonly<{ priorityKey?: number; fairnessKey?: string }>;

/** Temporal's default is 3, and 5 comes last. */
const FIRST = 1;
const FEW_CHUNKS = 2;
const MANY_CHUNKS = 3;

/** So many chunks are sent within seconds, so that partitions with more of them hardly wait. */
const FEW_CHUNKS_MAX = 20;

/** The priority of a batch. Its id is short enough for a fairness key, which has 64 bytes at most. */
export const batchPriority = (batchId: string): TaskPriority => ({ fairnessKey: batchId });

/** The priority of a partition. A small batch has one with few chunks. */
export const partitionPriority = ({
  batchId,
  chunkCount,
}: Readonly<{ batchId: string; chunkCount: number }>): TaskPriority => ({
  ...batchPriority(batchId),
  priorityKey: chunkCount <= FEW_CHUNKS_MAX ? FEW_CHUNKS : MANY_CHUNKS,
});

/** The priority of an activity that finds out about an ambiguous create: its money may be on its way. */
export const IN_DOUBT_PRIORITY: TaskPriority = { priorityKey: FIRST };
