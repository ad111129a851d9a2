/** Edits of one character that may lie between a typing mistake and a name. */
const DISTANCE_MAX = 3;

/** The candidate that `word` probably stands for, if one is near enough. */
export function nearest(
  word: string,
  candidates: readonly string[],
  distanceMax = DISTANCE_MAX,
): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Levenshtein's distance, one row of his table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, fromChar] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, toChar] of [...to].entries()) {
      const replaced = at(row, j) + (fromChar === toChar ? 0 : 1);
      next.push(Math.min(replaced, at(row, j + 1) + 1, at(next, j) + 1));
    }
    row = next;
  }
  return at(row, to.length);
}

const at = (row: readonly number[], index: number): number =>
  row[index] ?? Number.POSITIVE_INFINITY;
