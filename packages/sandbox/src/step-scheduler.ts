import { createAlarm, type SandboxClock } from './clock.ts';
import { applyMove, type MoveContext, type MoveDeps, walkOf } from './moves.ts';
import { nextMove } from './core/walk.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';

/** The most steps in one transaction. Waiting requests are served before the next transaction. */
const STEPS_MAX = 200;

export type StepScheduler = Readonly<{
  /** Takes the step that is due at `dueMs` when that time comes. */
  expect(dueMs: number): void;
  /** Takes every step that is due, after a restart for example. */
  catchUp(): void;
  close(): void;
}>;

export type StepSchedulerDeps = MoveContext & Readonly<{ clock: SandboxClock }>;

/** Moves every mass payout through its states at its due times, which are in the store. */
export function createStepScheduler({ clock, ...rest }: StepSchedulerDeps): StepScheduler {
  const { store } = rest;
  const alarm = createAlarm(clock, () => {
    takeDueSteps();
    expectNext();
  });

  /** Returns the number of steps that it took. */
  function takeDueSteps(): number {
    const nowMs = clock.nowMs();
    const due = store.massPayouts.due(nowMs, STEPS_MAX);
    if (due.length === 0) return 0;
    const deps = { ...rest, nowMs };
    store.transaction(() => {
      for (const massPayout of due) takeStep(deps, massPayout);
    });
    return due.length;
  }

  function expectNext(): void {
    const dueMs = store.massPayouts.nextDueMs();
    if (dueMs !== null) alarm.ringBy(dueMs);
  }

  return {
    expect: alarm.ringBy,
    close: alarm.cancel,
    catchUp() {
      while (takeDueSteps() > 0);
      expectNext();
    },
  };
}

/** Takes the step of a mass payout that is due. Call it in a transaction. */
function takeStep(deps: MoveDeps, massPayout: StoredMassPayout): void {
  const walk = walkOf(deps, massPayout, massPayout.dueMs ?? deps.nowMs);
  applyMove(deps, massPayout, nextMove(walk));
}
