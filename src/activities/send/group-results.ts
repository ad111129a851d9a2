import type { SentChunks } from '../../contract/sending.ts';

type ChunkStep = SentChunks['steps'][number];

/**
 * The results of the chunks of one group. `lanes`: chunks that may go on by themselves in lanes of the batch after it. Chunks
 * beyond them have no result, so that the next group takes them.
 */
export function createGroupResults(chunks: readonly number[], lanes: number) {
  const created: number[] = [];
  const failed: number[] = [];
  const steps: ChunkStep[] = [];
  const behind: ChunkStep[] = [];
  const hasLane = (): boolean => failed.length + steps.filter(takesLane).length < lanes;

  /** Whether the next group takes the chunk. */
  function isLeft(chunk: number): boolean {
    const results = [created, failed, steps.map((one) => one.chunk)];
    return chunks.includes(chunk) && !results.some((known) => known.includes(chunk));
  }

  return {
    created,

    addStep(of: ChunkStep): void {
      if (of.step.kind === 'behind') behind.push(of);
      else if (!takesLane(of) || hasLane()) steps.push(of);
    },

    addFailed(chunk: number): void {
      if (hasLane()) failed.push(chunk);
    },

    /** Whether a chunk has a result that does not depend on another chunk. */
    hasAny: (): boolean => created.length + steps.length > 0,

    /** The results at the end. A chunk behind one that is left is left too: else it could take the lane that this one needs. */
    all(): SentChunks {
      for (const of of behind) {
        const isBehindLeft = of.step.kind === 'behind' && isLeft(of.step.chunk);
        if (!isBehindLeft && hasLane()) steps.push(of);
      }
      return { created, steps, failed };
    },
  };
}

/** Whether a chunk goes on by itself in a lane. One in doubt, or one that waits for a person, needs none. */
const takesLane = ({ step }: ChunkStep): boolean =>
  step.kind === 'held' || step.kind === 'behind' || (step.kind === 'waiting' && !step.inDoubt);
