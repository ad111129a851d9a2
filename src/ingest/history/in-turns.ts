import { setImmediate } from 'node:timers/promises';

/** Segments that are judged before others of this process get a turn: some milliseconds. */
const SEGMENTS_PER_TURN = 64;

/** The same segments, with a turn for other work now and then. Throws the reason of the signal when that is aborted. */
export async function* inTurns<Segment>(
  segments: AsyncIterable<Segment> | Iterable<Segment>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Segment> {
  let taken = 0;
  for await (const segment of segments) {
    yield segment;
    taken += 1;
    if (taken % SEGMENTS_PER_TURN !== 0) continue;
    await setImmediate();
    signal?.throwIfAborted();
  }
}
