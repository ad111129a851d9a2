import { z } from 'zod';
import type { Overrides } from './store/overrides.ts';

/**
 * How far the service's clock is off. It changes the `Date` header and the check of timestamps.
 * The sandbox's own due times do not follow it. A jump of that clock neither stops nor speeds up a
 * payout.
 */
export type ClockOffset = Readonly<{
  offsetMs(): number;
  /** The offset that the admin API set. Null: the settings decide. */
  override(): number | null;
  /** With null the settings decide again. */
  change(offsetMs: number | null): void;
}>;

const OVERRIDE = 'clockOffsetMs';

const OFFSET_MS_MAX = 10 * 365 * 24 * 60 * 60 * 1000;

export const OffsetMs = z.int().min(-OFFSET_MS_MAX).max(OFFSET_MS_MAX).nullable();

export function createClockOffset(settingMs: number, overrides: Overrides): ClockOffset {
  let override = OffsetMs.parse(overrides.read(OVERRIDE));
  return {
    offsetMs: () => override ?? settingMs,
    override: () => override,
    change(offsetMs) {
      overrides.write(OVERRIDE, offsetMs);
      override = offsetMs;
    },
  };
}
