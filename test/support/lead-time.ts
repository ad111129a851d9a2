import type { TestStack } from './test-stack.ts';

/** A command that only looks takes about half as long as one that changes something. */
const TIMES_A_LOOK = 3;
const SPARE_MS = 4_000;

/** How long so many commands of ours take on this machine at present, with room to spare, in milliseconds. */
export async function leadMsFor(stack: TestStack, commands: number): Promise<number> {
  const startedMs = performance.now();
  await stack.json('funds');
  return leadMsAt(performance.now() - startedMs, commands);
}

/** The same where it is known how long one look took. */
export const leadMsAt = (lookMs: number, commands: number): number =>
  Math.ceil(commands * TIMES_A_LOOK * lookMs + SPARE_MS);
