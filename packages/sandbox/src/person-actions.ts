import type { SandboxClock } from './clock.ts';
import { type PersonAction, decidePersonAction } from './core/person-actions.ts';
import { Refused } from './core/refusals.ts';
import { applyMove, type MoveContext, walkOf } from './moves.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';
import type { StepScheduler } from './step-scheduler.ts';

/** Actions of people on mass payouts in the service's own interface. */
export type PersonActions = Readonly<{
  /** Does the action and returns the changed mass payout. Throws Refused. */
  perform(id: string, action: PersonAction): StoredMassPayout;
}>;

export type PersonActionsDeps = MoveContext &
  Readonly<{ clock: SandboxClock; scheduler: StepScheduler }>;

export function createPersonActions({
  clock,
  scheduler,
  ...rest
}: PersonActionsDeps): PersonActions {
  const { store } = rest;

  function perform(id: string, action: PersonAction): StoredMassPayout {
    const massPayout = store.massPayouts.byId(id);
    if (massPayout === null) throw new Refused('NOT_FOUND');
    const deps = { ...rest, nowMs: clock.nowMs() };
    const { confirmations, dueMs } = massPayout;
    const walk = walkOf(deps, massPayout, deps.nowMs);
    const move = decidePersonAction(action, { walk, confirmations, dueMs });
    applyMove(deps, massPayout, move);
    if (move.dueMs !== null) scheduler.expect(move.dueMs);
    return store.massPayouts.byNumber(massPayout.n);
  }

  return { perform: (id, action) => store.transaction(() => perform(id, action)) };
}
