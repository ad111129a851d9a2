import type { Context } from '../context.ts';

/** Between two reads of a list that is followed, in milliseconds. */
export const FOLLOW_PAUSE_MS = 500;

/** Waits. Throws at Ctrl-C, which is how a command that follows ends. */
export async function pause(delayMs: number, { clock, interrupted }: Context): Promise<void> {
  await clock.pause(delayMs, interrupted);
  interrupted.throwIfAborted();
}
