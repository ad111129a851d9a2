import type { SandboxClock } from './clock.ts';
import type { Overrides } from './store/overrides.ts';
import { isVirtualClock } from './virtual-clock.ts';

/** The time of a virtual clock. The store keeps it, so a restart and a snapshot keep it too. */
export type VirtualTime = Readonly<{
  isVirtual: boolean;
  /** Lets time pass, as `advance` of VirtualClock does. Throws where the clock is not virtual. */
  advance(ms: number): Promise<void>;
  close(): void;
}>;

const OVERRIDE = 'virtualTimeMs';

export function createVirtualTime(
  clock: SandboxClock,
  overrides: Overrides,
  startMs: number,
): VirtualTime {
  let isOpen = true;
  const isVirtual = isVirtualClock(clock);
  if (isVirtual) clock.set(Number(overrides.read(OVERRIDE) ?? startMs));
  return {
    isVirtual,
    async advance(ms) {
      if (!isVirtual) throw new Error('The clock is not virtual.');
      await clock.advance(ms);
      if (isOpen) overrides.write(OVERRIDE, clock.nowMs());
    },
    close: () => void (isOpen = false),
  };
}
