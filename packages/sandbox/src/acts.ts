import type { Clock } from './clock.ts';
import { type Act, decideAct } from './core/acts.ts';
import { Refused } from './core/refusals.ts';
import { applyMove, type MoveDeps, walkOf } from './moves.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';
import type { Store } from './store/store.ts';
import type { Walker } from './walker.ts';

/** What a person does with a mass payout in the service's own interface. */
export type Acts = Readonly<{
  /** Returns the mass payout as it is afterwards. Throws Refused. */
  perform(id: string, act: Act): StoredMassPayout;
}>;

export type ActsDeps = Omit<MoveDeps, 'nowMs'> &
  Readonly<{ store: Store; clock: Pick<Clock, 'nowMs'>; walker: Pick<Walker, 'expect'> }>;

export function createActs({ clock, walker, ...rest }: ActsDeps): Acts {
  const { store } = rest;

  function perform(id: string, act: Act): StoredMassPayout {
    const massPayout = store.massPayouts.byId(id);
    if (massPayout === null) throw new Refused('NOT_FOUND');
    const deps = { ...rest, nowMs: clock.nowMs() };
    const { confirmations, dueMs } = massPayout;
    const walk = walkOf(deps, massPayout, deps.nowMs);
    const move = decideAct(act, { walk, confirmations, dueMs });
    applyMove(deps, massPayout, move);
    if (move.dueMs !== null) walker.expect(move.dueMs);
    return store.massPayouts.byNumber(massPayout.n);
  }

  return { perform: (id, act) => store.transaction(() => perform(id, act)) };
}
