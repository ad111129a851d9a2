import { setImmediate } from 'node:timers/promises';

/** Segments between two pauses, which take some milliseconds. */
const SEGMENTS_PER_PAUSE = 64;

/**
 * Yields the same segments, with pauses in which other work of the process runs.
 * @throws the reason of an aborted signal.
 */
export async function* withPauses<Segment>(
  segments: AsyncIterable<Segment> | Iterable<Segment>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Segment> {
  let taken = 0;
  for await (const segment of segments) {
    yield segment;
    taken += 1;
    if (taken % SEGMENTS_PER_PAUSE !== 0) continue;
    await setImmediate();
    signal?.throwIfAborted();
  }
}
