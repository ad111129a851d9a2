import type { AdminClock } from '@bursar/sandbox/admin';

/** How far a clock is off, in words. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'not off';
  return `${Math.abs(offsetMs)} ms ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}

/** The offset of a sandbox's clock in words, and whether its settings demand it. */
export const clockText = ({ offsetMs, override }: AdminClock): string =>
  `${offsetText(offsetMs)}, ${override === null ? 'by the settings' : 'as it was set here'}`;
