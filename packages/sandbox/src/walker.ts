import { type SandboxClock, createAlarm } from './clock.ts';
import type { MoveContext } from './moves.ts';
import { takeStep } from './step.ts';

/** Steps in one transaction; the rest follows at once, but after requests that wait. */
const STEPS_MAX = 200;

export type Walker = Readonly<{
  /** Makes sure that the step which is due at `dueMs` is taken then. */
  expect(dueMs: number): void;
  /** Takes every step that is due, as after a restart. */
  catchUp(): void;
  close(): void;
}>;

export type WalkerDeps = MoveContext & Readonly<{ clock: SandboxClock }>;

/**
 * Moves every mass payout through its states when its time has come; the due times are in the
 * store.
 */
export function createWalker({ clock, ...rest }: WalkerDeps): Walker {
  const { store } = rest;
  const alarm = createAlarm(clock, () => {
    takeDueSteps();
    expectNext();
  });

  /** How many steps were taken. */
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
