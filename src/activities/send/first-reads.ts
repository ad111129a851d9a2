import { CancelledFailure, log } from '@temporalio/activity';
import type { FirstReader, Sending } from './types.ts';

/**
 * Reads the mass payouts of a group right after their creates, where the service pays at once. The first one shows whether it
 * does; after one that is not at its end no further one is read, and the sweeps read all of them. `reader`: missing, where no
 * mass payout is to be read.
 */
export function createFirstReads(reader: FirstReader | undefined) {
  const settled: number[] = [];
  let isOver = false;
  let isTrying = false;

  return {
    /** Chunks that are at their end. */
    settled: settled as readonly number[],

    async read(sending: Sending): Promise<void> {
      const { chunk } = sending.ref;
      if (reader === undefined || isOver || isTrying) return;
      isTrying = settled.length === 0;
      try {
        if (await reader.read(sending, chunk)) settled.push(chunk);
        else isOver = true;
      } catch (error) {
        if (error instanceof CancelledFailure) throw error;
        // The next sweep reads it again.
        log.warn('a mass payout could not be read', { chunk, error });
        isOver = true;
      } finally {
        isTrying = false;
      }
    },
  };
}
