import type { Execution } from '../engine/engine.ts';

/** Whether Temporal shows a batch as REJECTED. A batch gets that state only if it certainly sent nothing. */
export const hasPaidNothing = ({ status, state }: Execution): boolean =>
  status === 'COMPLETED' && (state === undefined || state === 'REJECTED');
