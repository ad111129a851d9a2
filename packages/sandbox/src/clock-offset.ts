import { z } from 'zod';
import type { Overrides } from './store/overrides.ts';

/**
 * How far the clock that the service shows is off: its `Date` header and its check of timestamps. What happens in the sandbox
 * goes on at its own pace, so that a jump of that clock neither stops nor hurries a payout.
 */
export type ClockOffset = Readonly<{
  offsetMs(): number;
  /** What the admin API set; null when the settings say it. */
  override(): number | null;
  /** Null gives it back to the settings. */
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
