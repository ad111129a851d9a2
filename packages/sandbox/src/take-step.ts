import { nextMove } from './core/walk.ts';
import { applyMove, type MoveDeps, walkOf } from './moves.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';

/** Takes the step of a mass payout that is due. Call it in a transaction. */
export function takeStep(deps: MoveDeps, massPayout: StoredMassPayout): void {
  const walk = walkOf(deps, massPayout, massPayout.dueMs ?? deps.nowMs);
  applyMove(deps, massPayout, nextMove(walk));
}
