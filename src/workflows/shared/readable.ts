import { withCommas } from '../../domain/text/counted.ts';

const INSTANT = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)/g;

/** Makes instants in UTC that stand in a text easier to read. */
export const readable = (text: string): string => text.replace(INSTANT, '$1 $2 UTC');

/** Chunks that are named; the others are counted. */
const CHUNKS_SHOWN_MAX = 10;

/** Some chunks, for people: `chunks 3, 4 and 90 more`. */
export function namedChunks(chunks: readonly number[]): string {
  const rest = chunks.length - CHUNKS_SHOWN_MAX;
  const shown = chunks.slice(0, CHUNKS_SHOWN_MAX).join(', ');
  return `${chunks.length === 1 ? 'chunk' : 'chunks'} ${shown}${rest > 0 ? ` and ${withCommas(rest)} more` : ''}`;
}
