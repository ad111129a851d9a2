import type { OffsetAt } from './zone-clock.ts';

/** The instant from which another offset holds, and both offsets, all in seconds. */
export type Transition = Readonly<{ atS: number; beforeS: number; afterS: number }>;

/**
 * Distance of the offsets that the first step compares, in seconds.
 * The search would miss two transitions within it that undo each other. Of all zones from 1700 to 2100
 * the closest two are 7 days apart (Asia/Hebron, 2072).
 */
const STEP_S = 86_400;

/** Finds every transition after `firstS` up to and including `lastS`, to the second. */
export function findTransitions(
  offsetAt: OffsetAt,
  { firstS, lastS }: Readonly<{ firstS: number; lastS: number }>,
): Transition[] {
  const found: Transition[] = [];
  let leftS = firstS;
  let beforeS = offsetAt(firstS);
  while (leftS < lastS) {
    const rightS = Math.min(leftS + STEP_S, lastS);
    if (offsetAt(rightS) === beforeS) {
      leftS = rightS;
      continue;
    }
    // The search goes on from the transition, not from the end of the step: another may follow.
    leftS = findChange(offsetAt, { leftS, rightS, beforeS });
    const afterS = offsetAt(leftS);
    found.push({ atS: leftS, beforeS, afterS });
    beforeS = afterS;
  }
  return found;
}

/** The first second without the offset `beforeS`, which holds at `leftS` and not at `rightS`. */
function findChange(
  offsetAt: OffsetAt,
  { leftS, rightS, beforeS }: Readonly<{ leftS: number; rightS: number; beforeS: number }>,
): number {
  let sameS = leftS;
  let changedS = rightS;
  while (changedS - sameS > 1) {
    const middleS = Math.floor((sameS + changedS) / 2);
    if (offsetAt(middleS) === beforeS) sameS = middleS;
    else changedS = middleS;
  }
  return changedS;
}
