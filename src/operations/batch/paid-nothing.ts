import type { Execution } from '../engine/engine.ts';

/** Whether Temporal says of a batch that it was rejected: that is said only where certainly nothing was sent. */
export const hasPaidNothing = ({ status, state }: Execution): boolean =>
  status === 'COMPLETED' && (state === undefined || state === 'REJECTED');
