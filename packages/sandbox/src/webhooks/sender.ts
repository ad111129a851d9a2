import type { Delivery } from '../store/delivery.ts';
import { createLane, type Lane, type LaneDeps } from './lane.ts';
import type { Registry } from './registry.ts';

export type Sender = Readonly<{
  /** Makes sure that what is due for a subscription at `dueMs` is sent then. */
  expect(subscription: number, dueMs: number): void;
  /** Sends a delivery that was made due anew, even if it is under way. */
  resend(delivery: Delivery): void;
  /** Looks at once after every subscription, as after a restart. */
  wakeAll(): void;
  close(): Promise<void>;
}>;

export type SenderDeps = LaneDeps & Readonly<{ registry: Registry }>;

/** Sends what is queued when it is due, again and again by the retry schedule. Spec: "Events". */
export function createSender(deps: SenderDeps): Sender {
  const lanes = new Map<number, Lane>();
  let closed = false;

  function laneOf(n: number): Lane {
    const lane = lanes.get(n) ?? createLane(deps, { n, onCleared: () => void lanes.delete(n) });
    lanes.set(n, lane);
    return lane;
  }

  function expect(subscription: number, dueMs: number): void {
    // What is queued while the sandbox closes waits in the store for the next start.
    if (!closed) laneOf(subscription).expect(dueMs);
  }

  return {
    expect,
    resend({ id, subscription }) {
      if (!closed) laneOf(subscription).resend(id);
    },
    wakeAll() {
      for (const { n } of deps.registry.all()) expect(n, deps.clock.nowMs());
    },
    async close() {
      closed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };
}
