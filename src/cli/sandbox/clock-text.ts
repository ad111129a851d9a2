/** How far a clock is off, in words. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'not off';
  return `${Math.abs(offsetMs)} ms ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}
